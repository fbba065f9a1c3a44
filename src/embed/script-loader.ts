// The script tag. Works as a classic script or a module, in `<head>` or `<body>`, once or several times.

/** A script tag. `agentChat` is the promise of its copy of this script, so that other copies can wait for it. */
type Tag = Pick<HTMLScriptElement, 'src' | 'dataset'> & { agentChat?: Promise<unknown> };

const tags = ownTags();
// A classic script cannot import relative to itself, so the modules are resolved against its URL.
const partsBase = tags[0]?.src || document.baseURI;
// A script that is inline, bundled into another, or opened from a local file has no modules beside it.
const isMisplaced = !/^http.*agent-chat[^/]*$/.test(partsBase);

// The modules of the launcher and the panel; the build fills in their names.
const launcherPart = '__LAUNCHER_PART__';
const panelParts: readonly string[] = ['__PANEL_PARTS__'];

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

const otherCopies = [...document.querySelectorAll<HTMLScriptElement & Tag>('script')].flatMap(
  (tag) => tag.agentChat ?? [],
);
const loaded = load(2);
for (const tag of tags) tag.agentChat = loaded;

async function load(triesLeft: number): Promise<void> {
  // a second copy would load a second Lit and create its Trusted Types policy twice
  await Promise.allSettled(otherCopies);
  try {
    if (!customElements.get('agent-chat')) await loadParts();
    // set by mount.ts
    const registered = customElements.get('agent-chat') as { mount?: (tag: Tag) => void } | undefined;
    for (const tag of tags) registered?.mount?.(tag);
  } catch (cause) {
    if (triesLeft === 0) {
      offerRetry();
      throw cause;
    }
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return load(triesLeft - 1);
  }
}

async function loadParts(): Promise<void> {
  // asked for first: one can write as soon as it is there
  const launcher = import(/* @vite-ignore */ partAt(launcherPart));
  const eager = '[preload="eager"],[form-type="custom"],[open]';
  if (
    document.querySelector(`agent-chat:is(${eager})`) ||
    tags.some(({ dataset }) => dataset['preload'] === 'eager' || dataset['formType'] === 'custom')
  ) {
    for (const part of panelParts) preload(part); // in parallel with the launcher
  }
  await launcher;
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

/** Shows a plain button that reports the failure and tries again when clicked, or when the network is back. */
function offerRetry(): void {
  const button = document.createElement('button');
  button.textContent = '!';
  button.title =
    button.ariaLabel = `The chat could not be loaded${isMisplaced ? ': agent-chat.js must be served over HTTP from its own URL' : ''}.`;
  button.style.cssText = 'position:fixed;bottom:20px;inset-inline-end:20px;width:56px;height:56px';
  button.onclick = () => {
    button.remove();
    load(0).catch(() => undefined);
  };
  addEventListener('online', () => button.isConnected && button.click());
  document.body.append(button);
}

loaded.catch(() => undefined);
