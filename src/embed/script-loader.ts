// The script tag. Works as a classic script or a module, in `<head>` or `<body>`, once or several times.

/** A script tag. `agentChat` says that a copy of this script has taken it. */
type Tag = Pick<HTMLScriptElement, 'src' | 'dataset'> & { agentChat?: true };

/** Loads a module of the panel, such as `chunks/runtime-….js`. */
type LoadPart = (part: string) => Promise<unknown>;

/** The registered element, of this copy, another version or the package. */
interface RegisteredElement {
  /** Set by mount.ts. */
  mount?: (tag: Tag) => void;
  /** What the panel's modules import from the launcher. */
  shared?: object;
}

/** Defines the element, and returns what the panel's modules import. The build puts the code of mount.ts here. */
declare const __LAUNCHER__: (loadPart: LoadPart) => object;

/** The panel's modules; the build fills in their names. */
const panelParts: readonly string[] = ['__PANEL_PARTS__'];

const tags = ownTags();
for (const tag of tags) tag.agentChat = true;
// A classic script cannot import relative to itself, so the modules are resolved against its URL.
const partsBase = tags[0]?.src || document.baseURI;
// A script that is inline, bundled into another, or opened from a local file has no modules beside it.
const isMisplaced = !/^http.*agent-chat[^/]*$/.test(partsBase);

if (!customElements.get('agent-chat')) {
  const eager = '[preload="eager"],[form-type="custom"],[open]';
  if (
    document.querySelector(`agent-chat:is(${eager})`) ||
    tags.some(({ dataset }) => dataset['preload'] === 'eager' || dataset['formType'] === 'custom')
  ) {
    for (const part of panelParts) preload(part); // while the launcher is drawn
  }
  const shared = __LAUNCHER__(loadPart);
  Object.assign(customElements.get('agent-chat') as RegisteredElement, { shared });
}
const registered = customElements.get('agent-chat') as RegisteredElement | undefined;
for (const tag of tags) registered?.mount?.(tag);

function ownTags(): Tag[] {
  const current = document.currentScript;
  if (current instanceof HTMLScriptElement) return [current];
  // A module has no current script, and runs once for all tags with its URL: take the tags that no other copy
  // has taken.
  const modules = [
    ...document.querySelectorAll<HTMLScriptElement & Tag>('script[type="module"][src*="agent-chat"]'),
  ];
  const free = modules.filter((tag) => !tag.agentChat);
  const [first] = free;
  if (first) return free.filter(({ src }) => src === first.src);
  // After `import('https://…')`, or if the tag was removed at once, find the URL in an error's stack trace.
  const address = /http\S+?(?=:\d+:\d)/.exec(String(new Error().stack));
  return [{ src: address?.[0] ?? '', dataset: {} }];
}

async function loadPart(part: string): Promise<unknown> {
  if (isMisplaced) throw new Error('agent-chat.js must be served over HTTP from its own URL');
  return import(/* @vite-ignore */ partAt(part));
}

function preload(part: string): void {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = partAt(part);
  link.fetchPriority = 'low';
  // leave no trace in the page's head
  link.onload = link.onerror = () => link.remove();
  document.head.append(link);
}

function partAt(part: string): string {
  return new URL(part, partsBase).href;
}
