import type { Token } from 'markdown-it';
import type { CodeBlock } from './nodes.ts';
import { decodeInfo } from './parser.ts';
import { countSteps } from './steps.ts';

/** An open fence: text is appended, and only looked at for the line that closes it. */
export class CodeGrowth {
  source: string;
  block: CodeBlock;
  readonly #closing: RegExp;
  readonly #mayClose: RegExp;
  readonly #lines: string[] = [];

  /**
   * @param fence The fence's token.
   * @param opening Its first line, with the line end.
   */
  constructor(fence: Token, opening: string) {
    this.source = opening;
    const mark = fence.markup.startsWith('~') ? '~' : '`';
    const atLeast = String(fence.markup.length);
    this.#closing = new RegExp(`^ {0,3}${mark}{${atLeast},}[ \\t]*$`);
    this.#mayClose = new RegExp(`^ {0,3}${mark}*[ \\t]*$`);
    this.block = {
      kind: 'code',
      info: decodeInfo(fence.info),
      settled: this.#lines,
      rest: '',
      closed: false,
    };
  }

  /**
   * Takes the lines that have come.
   * @param tail What follows the settled part.
   * @param open More may follow.
   * @returns What is left of the tail, and whether the fence is closed or at the end of the text.
   */
  take(tail: string, open: boolean): { readonly tail: string; readonly finished: boolean } {
    countSteps(tail.length);
    let at = 0;
    let taken = '';
    let finished = !open;
    while (at < tail.length) {
      const end = tail.indexOf('\n', at);
      if (end < 0 && open) break;
      const line = tail.slice(at, end < 0 ? tail.length : end);
      at = end < 0 ? tail.length : end + 1;
      if (this.#closing.test(line)) {
        finished = true;
        break;
      }
      taken += end < 0 ? line : `${line}\n`;
    }
    if (taken) this.#lines.push(taken);
    this.source += tail.slice(0, at);
    const left = tail.slice(at);
    const rest = finished || this.#mayClose.test(left) ? '' : left;
    this.block = { ...this.block, settled: this.#lines, rest, closed: finished };
    return { tail: left, finished };
  }
}
