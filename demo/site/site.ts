import { addCopyButtons } from './copy-buttons.ts';
import { addLiveExamples } from './live-examples.ts';
import { bindSchemeButton } from './scheme-button.ts';

addLiveExamples(document.querySelectorAll('figure.live'));
addCopyButtons(document.querySelectorAll('figure.code'));

const button = document.querySelector<HTMLButtonElement>('button.scheme');
if (button) bindSchemeButton(button);

// the list of pages is open beside the text, and closed above it
const contents = document.querySelector<HTMLDetailsElement>('.contents details');
if (contents) contents.open = matchMedia('(min-width: 900px)').matches;

const field = document.querySelector<HTMLInputElement>('.search input');
if (field) {
  field.addEventListener(
    'focus',
    () => void import('./search.ts').then(({ bindSearch }) => bindSearch(field)),
    {
      once: true,
    },
  );
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, agent-chat');
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    field.focus();
  });
}
