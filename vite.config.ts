import { readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { defineConfig, type Plugin, type Rollup, type UserConfig } from 'vite';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import { minify, type CompressOptions } from 'terser';
import { minifyTemplateLiterals } from 'rollup-plugin-minify-template-literals';
import manifest from './package.json' with { type: 'json' };
import { thirdPartyNotices } from './test/tools/third-party-notices.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const at = (path: string): string => `${root}${path}`;

/** The four things this package is built into: `vite build --mode script|library|service|demo`. */
export default defineConfig(({ mode, command }) => {
  const builds: Record<string, () => UserConfig> = { script, library, service, demo };
  return (builds[mode] ?? (command === 'serve' ? demo : script))();
});

/** What a page loads with one script tag: a classic script that resolves its parts against its own address. */
function script(): UserConfig {
  return {
    publicDir: false,
    plugins: [
      templates(),
      ownTrustedTypesPolicy(),
      slimLit(),
      plainDecorators(),
      slimParser(),
      namesOfParts(),
      ownNamesOnly(),
      minifyAgain(),
      thirdPartyNotices(),
    ],
    define: { 'process.env.NODE_ENV': '"production"', __VERSION__: JSON.stringify(manifest.version) },
    build: {
      outDir: at('dist'),
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      minify: true,
      lib: {
        entry: {
          'agent-chat': at('src/embed/script-loader.ts'),
          mount: at('src/embed/mount.ts'),
          runtime: at('src/widget/runtime/chat-runtime.ts'),
        },
        formats: ['es'],
      },
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        output: {
          minify: true,
          entryFileNames: ({ name }) => (name === 'agent-chat' ? 'agent-chat.js' : 'chunks/[name]-[hash].js'),
          // what launcher and panel need at once is one file each: a part of its own would be a round trip more
          codeSplitting: {
            groups: [
              { name: 'mount', test: /embed[\\/]mount\.ts$/, priority: 2 },
              { name: 'runtime', test: /widget[\\/]runtime\.ts$/, priority: 1 },
              // the reducers of steps and what shows them: one round trip for both
              {
                name: 'steps',
                test: /conversation[\\/](reduce-run-event|steps|read-tool-response|read-failure|reducers[\\/](index|error|other|interrupt|step))\.ts$|components[\\/]steps\.ts$/,
              },
              // what every finished answer needs
              {
                name: 'answered',
                test: /widget[\\/](narrator|tab-\w+)\.ts$|components[\\/]turn-actions\.ts$|theme[\\/]late-icons\.ts$|locales[\\/]en-answered\.ts$/,
                priority: 1,
              },
              { name: 'response-errors', test: /client[\\/](response-errors|http-problem)\.ts$/ },
              // what shows items, and what answers them: that may be offline
              {
                name: 'item',
                test: /widget[\\/]content[\\/](item|content-element|read-item)\.ts$|session[\\/]answer-message\.ts$|theme[\\/]item-icons\.ts$/,
              },
            ],
          },
          chunkFileNames: 'chunks/[name]-[hash].js',
        },
      },
    },
  };
}

/** What `import` gives: one file an entry, libraries left to the host's bundler. */
function library(): UserConfig {
  return {
    publicDir: false,
    plugins: [templates(), thirdPartyNotices()],
    define: { __VERSION__: JSON.stringify(manifest.version) },
    build: {
      outDir: at('dist/lib'),
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      lib: {
        entry: {
          'agent-chat': at('src/widget/define.ts'),
          element: at('src/widget/index.ts'),
          client: at('src/client/index.ts'),
          protocol: at('src/protocol/index.ts'),
          conversation: at('src/session/index.ts'),
          react: at('src/react/index.ts'),
          vue: at('src/vue/index.ts'),
          svelte: at('src/svelte/index.ts'),
          ...localeEntries(),
        },
        formats: ['es'],
      },
      rolldownOptions: {
        // the wrapper's few lines come along: as a package they would drag React's types into every install
        // (and the compiler's own helpers are nobody's dependency)
        external: (id) => !/^@(lit\/react|oxc-project\/runtime)/.test(id) && isPackage(id),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'parts/[name]-[hash].js',
          // a component of a server may then name it, as in the App Router of Next.js
          banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
        },
      },
    },
  };
}

/** The service and its command line, for Node. */
function service(): UserConfig {
  return {
    publicDir: false,
    plugins: [thirdPartyNotices()],
    define: { __VERSION__: JSON.stringify(manifest.version) },
    build: {
      ssr: true,
      outDir: at('dist/service'),
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: { cli: at('src/service/cli.ts'), index: at('src/service/index.ts') },
        external: isPackage,
        output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' },
      },
    },
  };
}

/** The playground and the host pages; they use the package by its public entries only. */
function demo(): UserConfig {
  const pages = ['index', 'host', 'strict-csp', 'rtl', 'container', 'two-widgets', 'react', 'vue', 'svelte'];
  return {
    root: at('demo'),
    publicDir: at('demo/public'),
    plugins: [
      vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'agent-chat' } } }),
      svelte({ configFile: false }),
      templates(),
      slimParser(),
      thirdPartyNotices(),
    ],
    define: { __VUE_OPTIONS_API__: 'false', __VUE_PROD_DEVTOOLS__: 'false' },
    resolve: {
      alias: [
        { find: /^agent-chat$/, replacement: at('src/widget/define.ts') },
        { find: 'agent-chat/client', replacement: at('src/client/index.ts') },
        { find: 'agent-chat/protocol', replacement: at('src/protocol/index.ts') },
        { find: 'agent-chat/react', replacement: at('src/react/index.ts') },
      ],
    },
    build: {
      outDir: at('dist/demo'),
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: { input: pages.map((page) => at(`demo/${page}.html`)) },
    },
  };
}

/** One entry a language, named as its file: `agent-chat/locales/pt-br`. */
function localeEntries(): Record<string, string> {
  const files = readdirSync(at('src/widget/i18n/locales')).filter((file) =>
    /^[a-z]{2}(-[a-z]{2})?\.ts$/.test(file),
  );
  return Object.fromEntries(
    files.map((file) => [`locales/${file.slice(0, -3)}`, at(`src/widget/i18n/locales/${file}`)]),
  );
}

function isPackage(id: string): boolean {
  if (id.startsWith('.') || id.startsWith('/') || id.startsWith('\0')) return false;
  return builtinModules.includes(id) || id.startsWith('node:') || /^(@[\w-]+\/)?[\w-]/.test(id);
}

function templates(): Plugin {
  // The plugin's type is written against another bundler; it runs in this one.
  return {
    ...(minifyTemplateLiterals({
      options: { minifyOptions: { keepClosingSlash: true } },
    }) as unknown as Plugin),
    apply: 'build',
  };
}

/**
 * Lit makes a Trusted Types policy when it is first imported. Under its own name it collides with a page that has Lit
 * too, so in the script it carries ours, and a second copy of the script takes over the first one's.
 */
function ownTrustedTypesPolicy(): Plugin {
  return {
    name: 'own-trusted-types-policy',
    transform(code, id) {
      if (!/lit-html[\\/](development[\\/]|node[\\/])*lit-html\.js/.test(id)) return null;
      const renamed = code.replace(/(["'])lit-html\1(?=\s*,\s*\{)/, '"agent-chat"');
      if (renamed === code) this.error('lit-html no longer names its policy where this build expects it');
      return { code: renamed, map: null };
    },
  };
}

/** What is looked for in a library's code, and what stands in its place. */
type Replacement = readonly [part: RegExp | string, instead: string];

/**
 * Code with each part replaced. Every part must be found: a library that is written otherwise since its last version
 * would silently bring along what was to be left out.
 * @param missing told of a part that is not there; must throw
 */
function replaceParts(
  code: string,
  parts: readonly Replacement[],
  missing: (part: RegExp | string) => never,
): string {
  return parts.reduce((text, [part, instead]) => {
    const replaced = text.replace(part, instead);
    return replaced === text ? missing(part) : replaced;
  }, code);
}

/** What only a programmer could get wrong is told without words. */
const wordlessErrors: Replacement = [/throw Error\([^;]*?\)(?=[;}])/g, 'throw Error()'];

/** What each of Lit's packages does on the page's own global: note its version, and ask for its polyfill. */
const globalNotes: readonly Replacement[] = [
  [/\(\w+\.(litElement|litHtml|reactiveElement)Versions\s*\?\?=\s*\[\]\)\.push\("[^"]*"\)/g, 'void 0'],
  [/\w+\.(reactiveElement|litElement|litHtml)PolyfillSupport(DevMode)?(?=[,;])/g, 'void 0'],
];

/** What the script leaves out of Lit, by file (as minified in its packages). */
const litParts: Readonly<Record<string, readonly Replacement[]>> = {
  '@lit/reactive-element/reactive-element.js': [
    ...globalNotes,
    // a map for decorators of a kind not used here
    [/\w+\.litPropertyMetadata\s*\?\?=\s*new WeakMap(\(\))?/g, 'void 0'],
    [/(?<![\w.])litPropertyMetadata\.get\(\w+\)/g, 'void 0'],
    [/Symbol\.metadata\s*\?\?=\s*Symbol\("metadata"\)/g, 'void 0'],
    [/\w+\[Symbol\.metadata\]/g, 'void 0'],
    // an empty text that may stand in scripts: no template of ours has one
    [/\w+\?\w+\.emptyScript:""/, '""'],
    // what stands in for an attribute that was taken away: no property of ours asks for it
    [/(\w+)\?\?this\._\$Ej\?\.get\(\w+\)\?\?\1/, '$1'],
    [/\|\|\w+\.useDefault&&[^}]*?\)\)(?=\)\)return)/, ''],
    [/(?<=\{)\w+&&!\(this\._\$Ej\?\?=[^}]*?\)\|\|(?=\(this\._\$AL)/, ''],
    ['useDefault:!1,', ''],
    // attributes that hold JSON: no element of ours has one
    [/case Object:case Array:t=null==t\?t:JSON\.stringify\(t\)/, ''],
    [/case Object:case Array:try\{i=JSON\.parse\(t\)\}catch\(\w+\)\{i=null\}/, ''],
  ],
  '@lit/reactive-element/css-tag.js': [
    // for engines older than the syntax of this build, and for polyfills
    [/\w+\.ShadowRoot&&\(void 0===\w+\.ShadyCSS[^;]*?"replace"in CSSStyleSheet\.prototype/, 'true'],
    wordlessErrors,
  ],
  'lit-element/lit-element.js': [
    ...globalNotes,
    [/\w+\.litElementHydrateSupport\?\.\(\{LitElement:\w+\}\)/g, 'void 0'],
  ],
  'lit-html/lit-html.js': [
    ...globalNotes,
    [/3===(\w+)\?"<\/?math>":/g, ''],
    // what it offers to rendering on servers, but for the one its own helpers take
    [/\{M:\w+,P:\w+,A:\w+,C:1,[^}]*?\bI:(\w+),[^}]*\}/, '{I:$1}'],
    [/\w+\?\w+\.emptyScript:""/, '""'],
    // what its parts tell to directives: none of those here asks
    [/get parentNode\(\)\{return this\._\$AM\.parentNode\}/, ''],
    [/get parentNode\(\)\{let \w+=this\._\$AA\.parentNode;[^}]*\}/, ''],
    ['get startNode(){return this._$AA}get endNode(){return this._$AB}', ''],
    ['get tagName(){return this.element.tagName}', ''],
    wordlessErrors,
  ],
  'lit-html/directives/live.js': [wordlessErrors],
  'lit-html/directives/repeat.js': [wordlessErrors],
};

/** The script must write nothing on the page's own global, and be small: it takes of Lit what it needs. */
function slimLit(): Plugin {
  const unseen = new Set(Object.keys(litParts));
  return {
    name: 'slim-lit',
    transform(code, id) {
      const path = id.replaceAll('\\', '/');
      const file = Object.keys(litParts).find((name) => path.endsWith(`/node_modules/${name}`));
      const parts = file === undefined ? undefined : litParts[file];
      if (file === undefined || parts === undefined) return null;
      unseen.delete(file);
      const missing = (part: RegExp | string): never =>
        this.error(`${file} no longer has ${part} where this build expects it`);
      return { code: replaceParts(code, parts, missing), map: null };
    },
    buildEnd(error) {
      if (!error && unseen.size > 0) this.error(`Lit no longer has its ${[...unseen].join(', ')}`);
    },
  };
}

/** Of each of Lit's decorators the kind this project's compiler writes. */
function plainDecorators(): Plugin {
  return {
    name: 'plain-decorators',
    enforce: 'pre',
    resolveId: (id) => (id === 'lit/decorators.js' ? at('src/widget/plain-decorators.ts') : null),
    // fields only, and decorators that give nothing back
    transform: (_code, id) =>
      /oxc-project.*helpers.*decorate\.js$/.test(id)
        ? 'export default (decorators, target, name) => decorators.reverse().forEach((one) => one(target, name));'
        : null,
  };
}

/**
 * Leaves out of markdown-it what this project never asks it for: its renderer, typographer and link finder, and its five
 * dependencies, in whose place stands one small file of ours. Together they would more than double it.
 */
function slimParser(): Plugin {
  const dependencies = ['entities', 'linkify-it', 'mdurl', 'punycode.js', 'uc.micro'];
  const regions: Record<string, string> = {
    'renderer.ts': 'var Renderer;',
    'rules_core/state_core.ts': 'var StateCore;',
    'rules_core/normalize.ts': 'function normalize() {}',
    'rules_core/block.ts': 'function block() {}',
    'rules_core/strip_references.ts': 'function strip_references() {}',
    'rules_core/inline.ts': 'function inline() {}',
    'rules_core/text_join.ts': 'function text_join() {}',
    'parser_core.ts': 'var ParserCore;',
    'markdownit.ts': slimMarkdownIt,
    'ruler.ts': slimRuler,
    'rules_core/smartquotes.ts': 'function smartquotes() {}',
    'rules_core/replacements.ts': 'function replace() {}',
    'rules_core/linkify.ts': 'function linkify$1() {}',
    'rules_inline/linkify.ts': 'function linkify() { return false; }',
    'rules_inline/strikethrough.ts':
      'var strikethrough_default = { tokenize: () => false, postProcess() {} };',
  };
  return {
    name: 'slim-parser',
    enforce: 'pre',
    resolveId(id, importer) {
      if (!importer || !/node_modules[\\/]markdown-it[\\/]/.test(importer)) return null;
      return dependencies.includes(id) ? at('src/markdown/parser-dependencies.ts') : null;
    },
    transform(code, id) {
      if (!/node_modules[\\/]markdown-it[\\/].*\.mjs$/.test(id)) return null;
      let slim = code;
      for (const [name, replacement] of Object.entries(regions)) {
        const region = new RegExp(`//#region src/${name.replace('.', '\\.')}\\n[^]*?//#endregion`);
        if (!region.test(slim))
          this.error(`markdown-it no longer has its ${name} where this build expects it`);
        slim = slim.replace(region, () => replacement);
      }
      const parts: readonly Replacement[] = [
        // it may be called without `new`, which nobody here does; minified, that wrapper is no constructor
        [/callable\(MarkdownIt\)/, 'MarkdownIt'],
        // of what it offers to plugins, what ours use
        [/utils_exports = [^;]*;/, 'utils_exports = { unescapeAll };'],
        [
          /helpers_exports = [^;]*;/,
          'helpers_exports = { parseLinkDestination, parseLinkLabel, parseLinkTitle };',
        ],
        // tokens are read, never edited
        [/\tattrPush\(attrData\) \{[^]*?(?=\tattrGet)/, ''],
        [/\tattrJoin\(name, value\) \{[^]*?(?=\n\};)/, ''],
        // an expression of which it keeps another
        [/(?<=\n)new RegExp\(`[^\n]*\);\n/, ''],
        // references by name: a rule of ours takes them all
        [/(?<=\n\t\}) else \{\s*const match = [^\n]*match\(NAMED_RE\);[^]*?\n\t\}(?=\n\treturn)/, ''],
        // what tokens tell of their origin
        [/\n\t*token\w*\.(markup|info) = "(autolink|auto|escape|entity)";/g, ''],
        [/throw new Error\("[^"]*"\)/g, 'throw new Error()'],
        // fields it has lowered for older engines than ours
        [/\/\*\*[^]*?\*\//g, ''],
        [/_defineProperty\(\s*(\w+),\s*"(\w+)",\s*([^;]*?)\s*\);/g, '$1.$2 = $3;'],
      ];
      const missing = (part: RegExp | string): never =>
        this.error(`markdown-it no longer has ${part} where this build expects it`);
      return { code: replaceParts(slim, parts, missing), map: null };
    },
  };
}

/** What is left of markdown-it's own class: its two parsers and what their rules reach through it. */
const slimMarkdownIt = `var MarkdownIt = class {
  inline = new ParserInline();
  block = new ParserBlock();
  utils = utils_exports;
  helpers = helpers_exports;
  options = { maxNesting: 100 };
  constructor(options) { Object.assign(this.options, options); }
};`;

/** Its lists of rules, which nobody turns off: by name, and by the kind of block that each may end. */
const slimRuler = `var Ruler = class {
  names = [];
  rules = [];
  ends = [];
  __find__(name) { return this.names.indexOf(name); }
  at(name, rule) { this.rules[this.__find__(name)] = rule; }
  after(before, name, rule) { this.add(this.__find__(before) + 1, name, rule, []); }
  push(name, rule, options) { this.add(this.names.length, name, rule, options?.alt ?? []); }
  add(at, name, rule, ends) {
    this.names.splice(at, 0, name);
    this.rules.splice(at, 0, rule);
    this.ends.splice(at, 0, ends);
  }
  getRules(kind) { return kind ? this.rules.filter((_, at) => this.ends[at].includes(kind)) : this.rules; }
};`;

/**
 * The script tag's file names its parts, which are known only when all is built; that a page which wants the panel at
 * once fetches all of it together, the panel's are named too. It must leave no global: the whole becomes one function.
 */
function namesOfParts(): Plugin {
  return {
    name: 'names-of-parts',
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

/** A page that adds to `Object.prototype` adds to every `for … in`: the bundler's helper must take own names only. */
function ownNamesOnly(): Plugin {
  return {
    name: 'own-names-only',
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk' || part.name !== 'rolldown-runtime') continue;
        const own = part.code.replace(/for\s*\(\w+ (\w+) in (\w+)\)/, 'for(let $1 of Object.keys($2))');
        if (own === part.code)
          this.error('the bundler no longer walks over names where this build expects it');
        part.code = own;
      }
    },
  };
}

/** A part of this name, and all that it imports statically. */
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

/** Names of the Markdown parser's own fields: long, frequent, and known in no other part. */
const parserFields =
  /\b(bMarks|eMarks|tShift|sCount|bsCount|blkIndent|lineMax|posMax|pendingLevel|parentType|listIndent|linkLevel|tokens_meta|_prev_delimiters|backticksScanned|skip(Spaces|Chars|SpacesBack|CharsBack|EmptyLines|Token)|pushPending|scanDelims|getLines|getRules|maxNesting|can_open|can_close|__find__)\b/;

/** Ways to write the same: which is smallest once compressed is luck, some tens of bytes of it. */
const writings: readonly CompressOptions[] = [
  {},
  { keep_fargs: false },
  { sequences: false },
  { join_vars: false },
  { lhs_constants: false },
  { keep_fargs: false, sequences: false },
  { keep_fargs: false, join_vars: false },
  { keep_fargs: false, lhs_constants: false },
];

/** The one that has been best for the panel's part, which each takes seconds. */
const panelWritings: readonly CompressOptions[] = [{ lhs_constants: false }];

/** Takes another kilobyte off what the first minifier leaves. */
function minifyAgain(): Plugin {
  return {
    name: 'minify-again',
    async generateBundle(_options, bundle) {
      const others = Object.values(bundle).filter((part) => part.type === 'chunk' && part.name !== 'runtime');
      const shared = others.find((part) => 'code' in part && parserFields.test(part.code));
      if (shared) this.error(`the parser's fields are known outside the panel's part: ${shared.fileName}`);
      for (const part of Object.values(bundle)) {
        // only what every visitor fetches: elsewhere a kilobyte is not worth the seconds
        if (part.type !== 'chunk' || !/agent-chat|mount|runtime|answered/.test(part.fileName)) continue;
        const ways = part.name === 'runtime' ? panelWritings : writings;
        const written = await Promise.all(
          ways.map(async (way) => {
            const { code } = await minify(part.code, {
              module: true,
              ecma: 2020,
              compress: { passes: 3, ...way },
              ...(part.name === 'runtime' ? { mangle: { properties: { regex: parserFields } } } : {}),
            });
            return code ?? part.code;
          }),
        );
        const weigh = (code: string): number => brotliCompressSync(code).length;
        part.code = written.reduce((best, other) => (weigh(other) < weigh(best) ? other : best));
      }
    },
  };
}
