import type { Token } from 'markdown-it';
import { emailLinks, endOfAddress } from './autolinks.ts';
import type { Environment } from './environment.ts';
import type { Inline } from './nodes.ts';
import { parseInlineTokens } from './parser.ts';
import { encodeAddress } from './urls.ts';

const lineBreak = /^<br *\/?>$/i;

/** Parses a line of text into nodes. */
export function parseInline(source: string, environment: Environment): readonly Inline[] {
  return inlineNodes(parseInlineTokens(source, environment), environment.open);
}

/** Turns the flat list of inline tokens into nested nodes; adjacent texts become one. */
export function inlineNodes(tokens: readonly Token[], open: boolean): readonly Inline[] {
  const root: Inline[] = [];
  const parents: { readonly token: Token; readonly children: Inline[] }[] = [];
  let children = root;
  let insideLink = 0;
  tokens.forEach((token, index) => {
    if (token.nesting === 1) {
      parents.push({ token, children });
      children = [];
      if (token.type === 'link_open') insideLink++;
      return;
    }
    if (token.nesting === -1) {
      const parent = parents.pop();
      if (!parent) return;
      if (token.type === 'link_close') insideLink--;
      const node = spanOf(parent.token, children);
      children = parent.children;
      children.push(node);
      return;
    }
    if (token.type === 'text' && insideLink === 0) {
      pushTextWithEmails(children, token.content, open && index === tokens.length - 1);
      return;
    }
    const leaf = leafOf(token);
    if (leaf.kind === 'text') pushText(children, leaf.text);
    else children.push(leaf);
  });
  return root;
}

function spanOf(token: Token, children: readonly Inline[]): Inline {
  switch (token.type) {
    case 'link_open':
      return { kind: 'link', href: attribute(token, 'href'), title: attribute(token, 'title'), children };
    case 'strong_open':
      return { kind: 'strong', children };
    case 's_open':
      return { kind: 'strike', children };
    default:
      return { kind: 'emphasis', children };
  }
}

function leafOf(token: Token): Inline {
  switch (token.type) {
    case 'code_inline':
      return { kind: 'code', text: token.content };
    case 'hardbreak':
      return { kind: 'break' };
    case 'softbreak':
      return { kind: 'text', text: '\n' };
    case 'html_inline':
      // the one way to begin a new line in the cell of a table
      return lineBreak.test(token.content) ? { kind: 'break' } : { kind: 'text', text: token.content };
    case 'image':
      return {
        kind: 'image',
        source: attribute(token, 'src'),
        title: attribute(token, 'title'),
        alternative: plainText(token.children ?? []),
      };
    default:
      return { kind: 'text', text: token.content };
  }
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}

/** Appends text, joining it to a text before it. */
export function pushText(nodes: Inline[], text: string): void {
  if (text === '') return;
  const last = nodes.at(-1);
  if (last?.kind === 'text') nodes[nodes.length - 1] = { kind: 'text', text: last.text + text };
  else nodes.push({ kind: 'text', text });
}

function pushTextWithEmails(nodes: Inline[], text: string, mayGrow: boolean): void {
  if (!text.includes('@')) {
    pushText(nodes, text);
    return;
  }
  let done = 0;
  for (const { start, end, address } of emailLinks(text)) {
    if (mayGrow && endOfAddress(text, end) === text.length) break;
    pushText(nodes, text.slice(done, start));
    nodes.push({
      kind: 'link',
      href: encodeAddress(address),
      title: '',
      children: [{ kind: 'text', text: text.slice(start, end) }],
    });
    done = end;
  }
  pushText(nodes, text.slice(done));
}

/** What is left of inline tokens when all formatting is taken away. */
function plainText(tokens: readonly Token[]): string {
  let text = '';
  for (const token of tokens) {
    if (token.type === 'image') text += plainText(token.children ?? []);
    else if (token.type === 'softbreak' || token.type === 'hardbreak') text += '\n';
    else if (token.type !== 'html_inline') text += token.content;
  }
  return text;
}
