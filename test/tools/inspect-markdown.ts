import type { MarkdownElement } from '../../src/widget/markdown/markdown-element.ts';

/** Something that must not be in a rendered message. */
export interface Finding {
  readonly text: string;
  readonly fault: string;
}

/** The texts to render and inspect. */
export interface Inspection {
  readonly texts: readonly string[];
  readonly baseUrl: string;
  readonly seed: number;
  /** Adds forbidden content after rendering, to check that it is found. */
  readonly spoil?: boolean;
}

/**
 * Runs in the page. Renders each text whole and in pieces. Reports every element, attribute and URL that the widget
 * does not create itself, and every difference between the two results.
 */
export async function inspectMarkdown({
  texts,
  baseUrl,
  seed,
  spoil = false,
}: Inspection): Promise<Finding[]> {
  const elements = new Set(
    'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code div span table thead tbody tr th td hr br a img input button small strong em del'.split(
      ' ',
    ),
  );
  /* Those of formulas. */
  const mathElements = new Set(
    'math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'.split(
      ' ',
    ),
  );
  const mathAttributes = new Set(
    'accent class columnalign depth display displaystyle fence form height largeop linethickness lspace mathsize mathvariant maxsize minsize movablelimits notation rspace scriptlevel separator stretchy style symmetric voffset width'.split(
      ' ',
    ),
  );
  const mathStyles = /^(?:border|font-(?:style|weight)|margin-left|math-depth|padding|text-align|width)/;
  const attributes = new Set(
    'href target rel part title dir class role aria-label aria-labelledby aria-level aria-pressed hidden tabindex type align start checked disabled nowrap loading decoding referrerpolicy alt src'.split(
      ' ',
    ),
  );
  const classes = new Set(
    'code code-head table more section lines raw real-address image image-placeholder keyword string number comment name added removed frozen wrapped task formula display pending drawn'.split(
      ' ',
    ),
  );
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  const findings: Finding[] = [];
  const place = document.createElement('div');
  place.style.background = 'white'; // where new words look for their ground
  document.body.append(place);
  const create = (): MarkdownElement => {
    const element = document.createElement('agent-chat-markdown');
    element.policy = { baseUrl, images: [] };
    place.append(element);
    return element;
  };
  const bodyOf = (element: MarkdownElement): Element => {
    const body = element.shadowRoot?.querySelector('.body');
    if (!body) throw new TypeError('no body');
    return body;
  };
  /** Whether an attribute says that words are new, and no more. */
  const isVeil = (element: Element, name: string, value: string): boolean =>
    name === 'data-fresh'
      ? /^(on|off)$/.test(value)
      : name === 'style' &&
        /^(p|li|h[1-6])$/.test(element.localName) &&
        /^((--_fresh: \d+em|--_ground: [\w(), .]+);\s*)*$/.test(value);
  const look = (body: Element, text: string): void => {
    const report = (fault: string): void => void findings.push({ text: text.slice(0, 300), fault });
    for (const element of body.querySelectorAll('*')) {
      if (element instanceof MathMLElement) {
        if (!mathElements.has(element.localName)) report(`element ${element.localName}`);
        for (const { name } of element.attributes)
          if (!mathAttributes.has(name)) report(`attribute ${name} of ${element.localName}`);
        for (const name of element.style) if (!mathStyles.test(name)) report(`style ${name}`);
        continue;
      }
      if (!elements.has(element.localName)) report(`element ${element.localName}`);
      for (const { name, value } of element.attributes) {
        const isColumnWidth = name === 'width' && element.localName === 'th' && /^[\d.]+$/.test(value);
        if (!attributes.has(name) && !isColumnWidth && !isVeil(element, name, value))
          report(`attribute ${name}`);
        if (name === 'class' && value.split(/\s+/).some((word) => word && !classes.has(word)))
          report(`class ${value}`);
        if (name === 'href' && !/^(https?|mailto|tel):/.test(value)) report(`address ${value}`);
        if (name === 'src' && new URL(value).origin !== new URL(baseUrl).origin) report(`address ${value}`);
      }
      if (
        element instanceof HTMLAnchorElement &&
        (element.target !== '_blank' || element.rel !== 'noopener noreferrer')
      ) {
        report('link without rel');
      }
    }
  };
  const normal = (element: MarkdownElement): Node => {
    const copy = bodyOf(element).cloneNode(true) as Element;
    copy.normalize();
    for (const block of copy.querySelectorAll('p, li, h1, h2, h3, h4, h5, h6')) {
      block.removeAttribute('data-fresh');
      block.removeAttribute('style');
    }
    // the widths that the columns of a growing table keep
    for (const cell of copy.querySelectorAll('th')) cell.removeAttribute('width');
    return copy;
  };
  for (const text of texts) {
    const whole = create();
    whole.text = text;
    await whole.updateComplete;
    const pieces = create();
    pieces.streaming = true;
    for (let at = 0; at < text.length;) {
      at = Math.min(text.length, at + 1 + Math.floor(random() * 24));
      pieces.text = text.slice(0, at);
      await pieces.updateComplete;
      if (random() < 0.2) look(bodyOf(pieces), text);
    }
    pieces.streaming = false;
    await pieces.updateComplete;
    if (spoil) {
      const bad = document.createElement('a');
      bad.setAttribute('data-content', 'x');
      bad.setAttribute('href', 'javascript:void(0)');
      bodyOf(whole).append(bad, document.createElement('iframe'));
    }
    look(bodyOf(whole), text);
    look(bodyOf(pieces), text);
    if (!spoil && !normal(whole).isEqualNode(normal(pieces))) {
      findings.push({
        text,
        fault: `pieces give ${bodyOf(pieces).textContent} instead of ${bodyOf(whole).textContent}`,
      });
    }
    place.replaceChildren();
  }
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  place.remove();
  return findings;
}
