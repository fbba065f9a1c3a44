import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { parseArguments } from '../tools/tool-call.ts';

type Piece = ChatCompletionChunk.Choice.Delta.ToolCall;

interface Call {
  id: string;
  name: string;
  args: string;
}

/**
 * Assembles streamed tool calls. Pieces with the same index belong together. If a service omits the index or
 * repeats it for every call, a different id starts a new call.
 */
export class ToolCalls {
  readonly #calls: Call[] = [];
  /** The current call of each index. */
  readonly #byIndex = new Map<number, Call>();

  get size(): number {
    return this.#calls.length;
  }

  append(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      // Services omit these fields or send `null`, contrary to the library's type.
      const { index, id, function: part } = piece as { readonly [Key in keyof Piece]?: Piece[Key] | null };
      const call = this.#callOf(index ?? undefined, id ?? '');
      call.id ||= id ?? '';
      // Names arrive whole; some services repeat them in every piece.
      call.name ||= part?.name ?? '';
      call.args += part?.arguments ?? '';
    }
  }

  #callOf(index: number | undefined, id: string): Call {
    const known = index === undefined ? this.#withoutIndex(id) : this.#byIndex.get(index);
    if (known && (id === '' || known.id === '' || known.id === id)) return known;
    const call = { id: '', name: '', args: '' };
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }

  #withoutIndex(id: string): Call | undefined {
    return this.#calls.find((call) => id !== '' && call.id === id) ?? this.#calls.at(-1);
  }

  /** Returns the calls in the order they started. */
  complete(): readonly { id: string; name: string; args: unknown }[] {
    return this.#calls.map(({ id, name, args }, index) => ({
      id: id === '' ? `call-${index + 1}` : id,
      name,
      args: parseArguments(args),
    }));
  }
}
