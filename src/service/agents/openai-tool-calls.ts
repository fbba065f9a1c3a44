import type { ChatCompletionChunk } from 'openai/resources/chat/completions';

type Piece = ChatCompletionChunk.Choice.Delta.ToolCall;

interface Call {
  id: string;
  name: string;
  args: string;
}

/**
 * Puts tool calls together that come in pieces. A piece belongs to the call of its index; where services leave the index
 * out, or give every call the same, an id that is another begins another call.
 */
export class ToolCalls {
  readonly #calls: Call[] = [];
  /** The call that an index stands for now. */
  readonly #byIndex = new Map<number, Call>();

  get size(): number {
    return this.#calls.length;
  }

  append(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      // Only what the library's type promises: services leave each of these out, or send `null`.
      const { index, id, function: part } = piece as { readonly [Key in keyof Piece]?: Piece[Key] | null };
      const call = this.#callOf(index ?? undefined, id ?? '');
      call.id ||= id ?? '';
      // A name is short and comes whole; some services send it with every piece.
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

  /** The calls in the order in which they began. */
  complete(): readonly { id: string; name: string; args: unknown }[] {
    return this.#calls.map(({ id, name, args }, place) => ({
      id: id === '' ? `call-${place + 1}` : id,
      name,
      args: parsed(args),
    }));
  }
}

function parsed(args: string): unknown {
  try {
    return JSON.parse(args === '' ? '{}' : args);
  } catch {
    return args;
  }
}
