import type { InlineReader } from './block-nodes.ts';
import type { Environment } from './environment.ts';
import type { Block } from './nodes.ts';
import type { ParsedTail, TopBlock } from './parsed-tail.ts';

/**
 * A long block that is still open and grows in place: what is finished of it is settled and not parsed again; the tail
 * begins with what is not.
 */
export interface Growth {
  /** What it has settled so far, as it was written. */
  readonly source: string;
  /** Stands for the settled part in front of the tail when that is parsed. */
  readonly prefix: string;
  readonly block: Block;
  /**
   * Takes its part of a new parse.
   * @returns Where in `parsed.source` the tail begins from now on; undefined when the block has become something else.
   */
  absorb(parsed: ParsedTail, block: TopBlock, options: AbsorbOptions): number | undefined;
}

export interface AbsorbOptions {
  readonly read: InlineReader;
  /** For the block's own text; open while that may go on. */
  readonly environment: Environment;
  /** A block must start before this line to be beyond change by what follows. */
  readonly lastLine: number;
  /** The whole block is final. */
  readonly finished: boolean;
}
