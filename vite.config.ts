import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'vite';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import manifest from './package.json' with { type: 'json' };
import { docsSite } from './test/tools/docs-site/plugin.ts';
import { libraryParts, localeEntries, localeFolder } from './test/tools/library-parts.ts';
import { classicScript, minifyTemplates, privateLit } from './test/tools/build-plugins.ts';
import { thirdPartyNotices } from './test/tools/third-party-notices.ts';

/** While `npm run dev` rebuilds, the running service keeps its files. Nothing is minified: minifying takes longest. */
const isWatching = process.env['WATCH'] === '1';
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const templates = isWatching ? [] : [minifyTemplates()];

/** The parts of the script, each loaded with the first use of what it is named after. The first two load at once. */
const scriptParts: readonly (readonly [name: string, files: RegExp])[] = [
  ['mount', /embed\/mount\.ts$/],
  [
    'runtime',
    /widget\/(runtime\/chat-runtime|announcements\/(?!item-speech)|tabs\/(channel-name|tab-l)|panel\/transcript\/turn-actions|platform\/(focus|media-queries))/,
  ],
  ['other-tabs', /widget\/tabs\//],
  ['locale', /element\/launcher-locale\.ts$|i18n\/(negotiate-locale|locales\/content\/index)\.ts$/],
  ['extra-strings', /extra-strings|locales\/extras\/(en|index)/],
  ['host-page', /widget\/element\//],
  [
    'helpers',
    /announcements\/item-speech|platform\/(adopt-styles|trap-focus)|theme\/field|transcript\/keep-position|conversation\/refusal-of|protocol\/service-clock/,
  ],
  ['settings-check', /runtime\/check-settings/],
  [
    'tools',
    /widget\/(panel\/(help|arrival)|platform\/|runtime\/(?!watch-decision|page-tools\/|ask-tool\/)|theme\/launcher-colours|panel\/transcript\/(answer-formats|feedback|markdown-to-html|message-(editor|menu)))|conversation\/export\//,
  ],
  ['last-thread', /panel\/threads\/(last-thread|thread-time)/],
  ['speech', /panel\/speech\//],
  ['steps', /panel\/transcript\/steps\.ts$/],
  [
    'items',
    /widget\/content\/(media\/)?[\w.-]+\.ts$|i18n\/(content-strings|locales\/content\/en)\.ts$|widget\/markdown\/image-view|session\/answer-message\.ts$/,
  ],
  ['calendar', /content\/calendar\/calendar/],
  ['combobox', /content\/combobox\/(combobox(\.styles)?|suggestions)\.ts$/],
  ['files', /widget\/(content\/files|panel\/composer)\//],
  ['forms', /widget\/content\/form\//],
  ['search', /widget\/content\/search\//],
  [
    'decisions',
    /widget\/content\/decision\/|runtime\/watch-decision|conversation\/tool-decision|i18n\/acting-strings|locales\/acting\/(en|index)/,
  ],
  ['page-tools', /widget\/runtime\/page-tools\//],
  ['ask-tool', /widget\/runtime\/ask-tool\//],
  ['formulas', /src\/markdown\/formulas|widget\/markdown\/math\/formula/],
  ['mathematics', /widget\/markdown\/math\/|node_modules\/temml/],
  ['code', /widget\/markdown\//],
  ['stream-decoder', /client\/framing\//],
  ['recovery', /src\/(client|session|conversation)\/|panel\/transcript\/history-status/],
];

/** What this package is built into: `vite build --mode script|library|service|demo|docs`. */
export default defineConfig(({ mode, command }) => {
  const builds: Record<string, () => UserConfig> = { script, library, service, demo, docs };
  return (builds[mode] ?? (command === 'serve' ? demo : script))();
});

/** What a page loads with one script tag: a classic script that resolves its parts against its own address. */
function script(): UserConfig {
  return {
    publicDir: false,
    plugins: [templates, privateLit(), classicScript(), thirdPartyNotices()],
    define: { 'process.env.NODE_ENV': '"production"', __VERSION__: JSON.stringify(manifest.version) },
    build: {
      outDir: at('dist'),
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      minify: !isWatching,
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
          minify: !isWatching,
          comments: false,
          entryFileNames: ({ name }) => (name === 'agent-chat' ? 'agent-chat.js' : 'chunks/[name]-[hash].js'),
          codeSplitting: { groups: scriptParts.map(([name, test]) => ({ name, test })) },
          chunkFileNames: ({ facadeModuleId }) => `chunks/${localeFolder(facadeModuleId)}[name]-[hash].js`,
          // V8 then compiles a part off the main thread while it loads, not each function at its first call
          postBanner: ({ name }) => (name === 'runtime' ? '//# allFunctionsCalledOnLoad' : ''),
        },
      },
    },
  };
}

/** What `import` gives. Lit is in it: a host's bundler would take Lit's build for development. */
function library(): UserConfig {
  const parts = libraryParts({
    launcher: 'src/widget/define.ts',
    panel: 'src/widget/runtime/chat-runtime.ts',
    english: 'i18n/locales/en.ts',
    headless: ['src/client/index.ts', 'src/protocol/index.ts', 'src/session/entry.ts'],
    early: /platform\/(focus|media-queries)\.ts$/,
    onDemand: scriptParts.filter(([name]) => name !== 'mount' && name !== 'runtime'),
  });
  return {
    publicDir: false,
    plugins: [templates, privateLit(), parts.plugin, thirdPartyNotices()],
    define: { __VERSION__: JSON.stringify(manifest.version) },
    resolve: {
      // Lit's build that also loads where there is no DOM
      conditions: ['node', 'module'],
      alias: {
        '@lit-labs/ssr-dom-shim': at('test/tools/no-dom.ts'),
        // its build for servers sets no properties
        '@lit/react': at('node_modules/@lit/react/index.js'),
      },
    },
    build: {
      outDir: at('dist/lib'),
      emptyOutDir: !isWatching,
      target: 'es2022',
      minify: false,
      lib: {
        entry: {
          'agent-chat': at('src/widget/define.ts'),
          element: at('src/widget/index.ts'),
          client: at('src/client/index.ts'),
          protocol: at('src/protocol/index.ts'),
          conversation: at('src/session/entry.ts'),
          react: at('src/react/index.ts'),
          vue: at('src/vue/index.ts'),
          svelte: at('src/svelte/index.ts'),
          ...localeEntries(at('src/widget/i18n/locales/')),
        },
        formats: ['es'],
      },
      rolldownOptions: {
        external: ['react', 'zod', 'zod/mini'],
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'parts/[name].js',
          codeSplitting: { groups: parts.groups },
          // a component of a server may then name it, as in the App Router of Next.js
          banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
        },
      },
    },
  };
}

/** The service and its command line, for Node. To load kysely's hundreds of files took a third of its start. */
function service(): UserConfig {
  return {
    publicDir: false,
    plugins: [thirdPartyNotices()],
    define: { __VERSION__: JSON.stringify(manifest.version) },
    ssr: { noExternal: ['kysely', 'zod'] },
    build: {
      ssr: true,
      outDir: at('dist/service'),
      emptyOutDir: !isWatching,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: {
          cli: at('src/service/cli.ts'),
          harbour: at('demo/agents/harbour.mjs'),
          index: at('src/service/index.ts'),
          'detection-worker': at('src/service/guardrails/detection-worker.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' },
      },
    },
  };
}

/** The playground and the host pages; they use the package by its public entries only. */
function demo(): UserConfig {
  const pages = [
    'index',
    'host',
    'strict-csp',
    'rtl',
    'container',
    'map',
    'two-widgets',
    'react',
    'vue',
    'svelte',
  ];
  return {
    root: at('demo'),
    publicDir: at('demo/public'),
    plugins: [
      vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'agent-chat' } } }),
      svelte({ configFile: false }),
      templates,
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
      emptyOutDir: !isWatching,
      target: 'es2022',
      minify: !isWatching,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: { input: pages.map((page) => at(`demo/${page}.html`)) },
    },
  };
}

/** The documentation, below the playground. Its pages are made from the documents. */
function docs(): UserConfig {
  return {
    base: './',
    publicDir: false,
    plugins: [docsSite(), thirdPartyNotices('docs/third-party-notices.txt')],
    build: {
      outDir: at('dist/demo'),
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: { site: at('demo/site/site.ts'), scheme: at('demo/site/scheme.ts') },
        output: {
          entryFileNames: 'docs/[name].js',
          chunkFileNames: 'docs/chunks/[name]-[hash].js',
          assetFileNames: 'docs/[name][extname]',
        },
      },
    },
  };
}
