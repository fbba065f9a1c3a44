import { minifyTemplateLiterals } from 'rollup-plugin-minify-template-literals';
import type { Plugin, Rollup } from 'vite';

/**
 * Minifies the HTML and CSS in our template literals. Skips packages: the minifier warns of each of Lit's own files.
 */
export function minifyTemplates(): Plugin {
  return {
    // the plugin's type is written against another bundler; it runs in this one
    ...(minifyTemplateLiterals({
      exclude: '**/node_modules/**',
      options: { minifyOptions: { keepClosingSlash: true } },
    }) as unknown as Plugin),
    apply: 'build',
  };
}

/**
 * Separates our copy of Lit from the page's. Its Trusted Types policy gets our name, because a page that uses Lit has a
 * policy named `lit-html` already. Its version goes into an object of the module instead of the page's global object,
 * and what the page has put there for its own copy, to polyfill or hydrate elements, is not called.
 * Its advice to authors of style sheets goes: ours are literals.
 */
export function privateLit(): Plugin {
  const policyName = /(["'])lit-html\1(?=,\{createHTML)/;
  const globalNotes = /(?:\b\w+\.)?\b(lit\w*Versions|reactiveElementVersions|litPropertyMetadata)\b/g;
  const hooks = /(?:\b\w+\.)?\b(?:lit|reactive)\w*(?:Polyfill|Hydrate)Support\b/g;
  const advice = /(?<=throw Error\()"(?:CSSResult|Value passed)[^"]*"(?:\+t\+"[^"]*")?(?=\))/g;
  return {
    name: 'private-lit',
    transform(code, id) {
      if (!/node_modules[\\/](@lit[\\/]reactive-element|lit-html|lit-element)[\\/]/.test(id)) return null;
      if (id.endsWith('lit-html.js') && !policyName.test(code))
        this.error('lit-html names its policy otherwise');
      const text = code
        .replace(policyName, '"agent-chat"')
        .replace(globalNotes, 'notes.$1')
        .replace(hooks, 'undefined')
        .replace(advice, '"css"')
        .replace(/[,;]\(notes\.\w+Versions\?\?=\[\]\)\.push\("[^"]*"\)/, '');
      return { code: `const notes = {};\n${text}`, map: null };
    },
  };
}

/** What makes a script tag's files of the bundle. */
export function classicScript(): Plugin[] {
  return [joinColourLines(), ownNamesOnly(), inlineLauncher()];
}

/**
 * Puts the launcher into the script, so that it stands after one request, and the names of the panel's modules. The
 * script is a classic one: in place of `import` and `export`, the panel's modules take what they need of the launcher
 * from the registered element, and the launcher loads them by the script's address. Wraps the script in a function, so
 * that it adds no globals.
 */
function inlineLauncher(): Plugin {
  return {
    name: 'inline-launcher',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
      const script = chunks.find(({ fileName }) => fileName === 'agent-chat.js');
      const launcher = chunks.find(({ name }) => name === 'mount');
      if (!script || !launcher) return this.error('the script or the launcher is missing');
      if (script.imports.length > 0 || launcher.imports.length > 0)
        return this.error('the script and the launcher must not import statically');
      const file = launcher.fileName.replace('chunks/', '');
      for (const chunk of chunks) {
        chunk.code = takeFromElement(chunk.code, file);
        if (chunk.code.includes(file)) this.error(`${chunk.fileName} imports the launcher in another form`);
      }
      const panel = partsOf(chunks, 'runtime').filter((part) => part !== launcher.fileName);
      const code = script.code
        .replace('__LAUNCHER__', () => `(loadPart=>{${asFunctionBody(launcher.code)}})`)
        .replace(/(["'`])__PANEL_PARTS__\1/, panel.map((part) => JSON.stringify(part)).join(','));
      if (/__(LAUNCHER|PANEL_PARTS)__|\b(import|export)\s*\{/.test(code))
        this.error('the script no longer holds the launcher and the names of the panel');
      script.code = `//# allFunctionsCalledOnLoad\n(() => {\n${code}\n})();`;
      Reflect.deleteProperty(bundle, launcher.fileName);
    },
  };
}

/** `import { a as b } from "./mount.js"` as a constant. */
function takeFromElement(code: string, launcher: string): string {
  const statement = /\bimport\s*\{([^}]*)\}\s*from\s*["']\.\/([\w.-]+)["']/g;
  return code.replace(statement, (whole, names: string, file) =>
    file === launcher
      ? `const{${names.replaceAll(/\s+as\s+/g, ':')}}=customElements.get("agent-chat").shared`
      : whole,
  );
}

/** A module's code with `return` for its exports, and `loadPart` for its dynamic imports. */
function asFunctionBody(code: string): string {
  return code
    .replaceAll(/\bimport\(([`"'])\.\/([\w.-]+)\1\)/g, 'loadPart("chunks/$2")')
    .replace(
      /\bexport\s*\{([^}]*)\};?\s*$/,
      (_, names: string) => `return{${names.replaceAll(/([^\s,]+)\s+as\s+([^\s,]+)/g, '$2:$1')}}`,
    );
}

/** Joins the lines of colour functions in style sheets: the minifier of CSS leaves them as they are. */
function joinColourLines(): Plugin {
  return {
    name: 'join-colour-lines',
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle))
        if (part.type === 'chunk')
          part.code = part.code.replace(/\n\s+(?=(?:from|clamp|calc|color)[ (]|\))/g, ' ');
    },
  };
}

/** Makes the bundler's helper read own properties only: some pages extend `Object.prototype`. */
function ownNamesOnly(): Plugin {
  return {
    name: 'own-names-only',
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk' || part.name !== 'rolldown-runtime') continue;
        const own = part.code.replace(/for\s*\(\w+ (\w+) in (\w+)\)/, 'for(let $1 of Object.keys($2))');
        if (own === part.code)
          this.error('the helper of rolldown-runtime has changed: update own-names-only');
        part.code = own;
      }
    },
  };
}

/** The files of a module and of everything that it imports statically. */
function partsOf(chunks: readonly Rollup.OutputChunk[], name: string): string[] {
  const files = new Set<string>();
  const add = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const needed of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) add(needed);
  };
  for (const chunk of chunks) if (chunk.name === name) add(chunk.fileName);
  return [...files];
}
