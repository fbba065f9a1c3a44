/**
 * Chats and renderers the bench can measure beside the widget, each with a page of its name in this folder.
 * `packages` are installed, the first being the peer itself; `entry` is what a page takes of them, bundled to
 * `/peer/<name>/<name>.js`; `longest` is the longest answer, in characters, that ends within minutes.
 */
export const peers = {
  'deep-chat': {
    packages: ['deep-chat'],
    // the one file that its documents name for a script tag
    entry: "import 'deep-chat/dist/deepChat.bundle.js';",
    longest: 32_000,
  },
  streamdown: {
    packages: ['streamdown', 'react@19', 'react-dom@19'],
    entry: [
      "import 'streamdown/styles.css';",
      "export { Streamdown } from 'streamdown';",
      "export { createElement } from 'react';",
      "export { createRoot } from 'react-dom/client';",
    ].join('\n'),
    longest: Infinity,
  },
  'react-markdown': {
    packages: ['react-markdown', 'remark-gfm', 'react@19', 'react-dom@19'],
    entry: [
      "export { default as Markdown } from 'react-markdown';",
      "export { default as remarkGfm } from 'remark-gfm';",
      "export { createElement } from 'react';",
      "export { createRoot } from 'react-dom/client';",
    ].join('\n'),
    longest: 32_000,
  },
};
