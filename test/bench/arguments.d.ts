export function readArguments(args: readonly string[]): {
  readonly shapes: readonly string[];
  readonly sizes: readonly number[];
  readonly ways: readonly string[];
  readonly peers: readonly { readonly name: string; readonly version?: string }[];
  readonly rounds: number;
  readonly rate: number;
  readonly throttle: number;
  readonly build: boolean;
  readonly append: boolean;
  readonly output: string;
};
