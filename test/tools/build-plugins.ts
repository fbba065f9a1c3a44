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
 * policy named `lit-html` already. Its version goes into an object of the module instead of the page's global object.
 * Its advice to authors of style sheets goes: ours are literals.
 */
export function privateLit(): Plugin {
  const policyName = /(["'])lit-html\1(?=,\{createHTML)/;
  const globalNotes = /(?:\b\w+\.)?\b(lit\w*Versions|reactiveElementVersions|litPropertyMetadata)\b/g;
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
        .replace(advice, '"css"')
        .replace(/,\(notes\.\w+Versions\?\?=\[\]\)\.push\("[^"]*"\)/, '');
      return { code: `const notes = {};\n${text}`, map: null };
    },
  };
}

/**
 * Writes the file names of the launcher's and the panel's modules into the script, so that a page that opens the panel
 * at once loads them in parallel. Wraps the script in a function, so that it adds no globals.
 */
export function partNames(): Plugin {
  return {
    name: 'part-names',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
      const script = chunks.find(({ fileName }) => fileName === 'agent-chat.js');
      if (!script || script.imports.length > 0) return this.error('the script must not import statically');
      const launcher = partsOf(chunks, 'mount');
      const panel = partsOf(chunks, 'runtime').filter((file) => !launcher.includes(file));
      if (launcher.length !== 1) this.error(`the launcher must be one file: ${launcher.join(', ')}`);
      const named = script.code
        .replace(/(["'`])__LAUNCHER_PART__\1/, JSON.stringify(launcher[0]))
        .replace(/(["'`])__PANEL_PARTS__\1/, panel.map((file) => JSON.stringify(file)).join(','));
      if (/__(LAUNCHER|PANEL)_PARTS?__/.test(named)) this.error('the script no longer names its parts');
      script.code = `(() => {\n${named}\n})();`;
    },
  };
}

/** Joins the lines of colour functions in style sheets: the minifier of CSS leaves them as they are. */
export function joinColourLines(): Plugin {
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
export function ownNamesOnly(): Plugin {
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
