// The script tag. Runs as a classic script or a module, in <head> or <body>, once or several times.

/** A tag of ours carries what became of its copy, so that another copy, of any version, can wait for it. */
type Tag = Pick<HTMLScriptElement, 'src' | 'dataset'> & { agentChat?: Promise<unknown> };

const tags = ownTags();
// A classic script cannot import beside itself: its parts are resolved against its own address.
const partsBase = tags[0]?.src || document.baseURI;
// In a file, inside the page or inside another script there is nothing beside it.
const isMisplaced = !/^http.*agent-chat[^/]*$/.test(partsBase);

// Files of the launcher and of the panel; the build puts them in.
const launcherPart = '__LAUNCHER_PART__';
const panelParts: readonly string[] = ['__PANEL_PARTS__'];

function ownTags(): Tag[] {
  const current = document.currentScript;
  if (current instanceof HTMLScriptElement) return [current];
  // a module has no current script, and runs once for all tags with its address: those that no copy has taken yet
  const modules = [
    ...document.querySelectorAll<HTMLScriptElement & Tag>('script[type="module"][src*="agent-chat"]'),
  ];
  const free = modules.filter((tag) => !tag.agentChat);
  const [first] = free;
  if (first) return free.filter(({ src }) => src === first.src);
  // `import('https://…')`, or the tag was taken out at once: engines tell its address with an error
  const address = /http\S+?(?=:\d+:\d)/.exec(String(new Error().stack));
  return [{ src: address?.[0] ?? '', dataset: {} }];
}

const others = [...document.querySelectorAll<HTMLScriptElement & Tag>('script')].flatMap(
  (tag) => tag.agentChat ?? [],
);
const loaded = load(2);
for (const tag of tags) tag.agentChat = loaded;

async function load(triesLeft: number): Promise<void> {
  // a second copy must not bring a second Lit: its Trusted Types policy would be one too many
  await Promise.allSettled(others);
  try {
    if (!customElements.get('agent-chat')) await parts();
    const known = customElements.get('agent-chat') as { mount?: (tag: Tag) => void } | undefined; // set by mount.ts
    for (const tag of tags) known?.mount?.(tag);
  } catch (cause) {
    if (triesLeft === 0) {
      offerRetry();
      throw cause;
    }
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return load(triesLeft - 1);
  }
}

async function parts(): Promise<void> {
  const wanted = '[preload="eager"],[form-type="custom"],[open]';
  if (
    document.querySelector(`agent-chat:is(${wanted})`) ||
    tags.some(({ dataset }) => dataset['preload'] === 'eager' || dataset['formType'] === 'custom')
  ) {
    for (const part of panelParts) preload(part); // beside the launcher, not after it
  }
  await import(/* @vite-ignore */ partAt(launcherPart));
}

function preload(part: string): void {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = partAt(part);
  // the page's head stays as it was
  link.onload = link.onerror = () => link.remove();
  document.head.append(link);
}

function partAt(part: string): string {
  return new URL(part, partsBase).href;
}

/** The launcher itself could not be had: a plain button stands in for it, says why and tries again. */
function offerRetry(): void {
  const button = document.createElement('button');
  button.textContent = '!';
  button.title =
    button.ariaLabel = `The chat could not be loaded${isMisplaced ? ': agent-chat.js must come over HTTP from its own address' : ''}.`;
  button.style.cssText = 'position:fixed;bottom:20px;inset-inline-end:20px;width:56px;height:56px';
  button.onclick = () => {
    button.remove();
    load(0).catch(() => undefined);
  };
  document.body.append(button);
}

loaded.catch(() => undefined);
