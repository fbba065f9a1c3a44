/** What the package exports for modules; its own types describe only the build for `require`. */
declare module 'temml' {
  /** A node of MathML or HTML, or a fragment. */
  export interface TreeNode {
    /** The tag of a MathML node. */
    readonly type?: string;
    readonly text?: string;
    readonly attributes?: Readonly<Record<string, string>>;
    readonly classes?: readonly string[];
    readonly style?: Readonly<Record<string, string>>;
    readonly children?: readonly TreeNode[];
  }
  export interface TreeOptions {
    readonly displayMode: boolean;
    readonly throwOnError: boolean;
    readonly trust: boolean;
    /** Maximum size in em, and in points. */
    readonly maxSize: readonly [number, number];
    readonly maxExpand: number;
  }
  const temml: {
    /** @throws an error for an invalid formula */
    __renderToMathMLTree(tex: string, options: TreeOptions): TreeNode;
  };
  export default temml;
}
