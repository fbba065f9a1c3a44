import type {} from 'agent-chat';

/** Puts a chat into each example when it comes into view, so that a page weighs nothing more until then. */
export function addLiveExamples(examples: Iterable<Element>): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        start(target);
      }
    },
    { rootMargin: '100px' },
  );
  for (const example of examples) observer.observe(example);
}

function start(example: Element): void {
  void loadElement();
  const chat = document.createElement('agent-chat');
  const attributes = JSON.parse(example.getAttribute('data-chat') ?? '{}') as Record<string, string>;
  const defaults = {
    'form-type': 'custom',
    width: '100%',
    height: '440px',
    storage: 'none',
    theme: document.documentElement.dataset['scheme'] ?? 'auto',
  };
  for (const [name, value] of Object.entries({ ...defaults, ...attributes })) chat.setAttribute(name, value);
  example.prepend(chat);
}

/** The site may stand in any folder: the script is one level above the documents. */
async function loadElement(): Promise<void> {
  const address = new URL('../agent-chat.js', document.baseURI).href;
  await import(/* @vite-ignore */ address);
}
