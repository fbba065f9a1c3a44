import { html } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { announce } from './announce.ts';

/** A highlighted block of code with a copy button. */
export function codeView(code: string, language: Language, label: string): unknown {
  const spans = [...pieces(code, language)].map(([kind, text]) =>
    kind === 'plain' ? text : html`<span class="code-${kind}">${breakable(text)}</span>`,
  );
  // another block has a button of its own, which has copied nothing yet
  return keyed(
    label,
    html`
      <div class="code">
        <button class="button small copy" type="button" @click=${(event: Event) => void copy(event, code)}>
          Copy
        </button>
        <pre tabindex="0" role="region" aria-label=${label}><code>${spans}</code></pre>
      </div>
    `,
  );
}

/** An address may break after its slashes: otherwise it would leave the line of its attribute. */
function breakable(text: string): unknown {
  if (!text.includes('://')) return text;
  return text.split(/(?<=\/)(?!\/)/).map((part, at) => (at === 0 ? part : html`<wbr />${part}`));
}

type Piece = readonly [kind: 'plain' | 'tag' | 'name' | 'string' | 'literal', text: string];

type Language = 'html' | 'json' | 'css';

const patterns = {
  html: /(<\/?[\w-]+|\/?>)|([\w-]+)(?==")|("[^"]*")/g,
  css: /^([\w:()-]+)|([\w-]+)(?=: )|('[^']*')|(#[\da-f]+\b|\b\d[\w.%]*)/gm,
  json: /()("(?:[^"\\]|\\.)*")(?=\s*:)|("(?:[^"\\]|\\.)*")|(\b(?:true|false|null)\b|-?\d[\d.eE+-]*)/g,
};

function* pieces(code: string, language: Language): Generator<Piece> {
  let end = 0;
  for (const match of code.matchAll(patterns[language])) {
    if (match.index > end) yield ['plain', code.slice(end, match.index)];
    const [whole, tag, name, string] = match;
    yield [tag ? 'tag' : name ? 'name' : string ? 'string' : 'literal', whole];
    end = match.index + whole.length;
  }
  if (end < code.length) yield ['plain', code.slice(end)];
}

async function copy(event: Event, text: string): Promise<void> {
  const button = event.currentTarget;
  if (!(button instanceof HTMLButtonElement)) return;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    const code = button.nextElementSibling;
    if (code) getSelection()?.selectAllChildren(code);
    button.textContent = 'Selected';
  }
  announce(button.textContent);
  setTimeout(() => (button.textContent = 'Copy'), 1600);
}
