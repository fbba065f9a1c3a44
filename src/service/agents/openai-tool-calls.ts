import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { isObject } from '../../protocol/json.ts';
import { type JsonObject, parseArguments } from '../tools/tool-call.ts';

type Piece = ChatCompletionChunk.Choice.Delta.ToolCall;

interface Call {
  id: string;
  name: string;
  args: string;
  /** Fields that the service wants back with the call, such as Gemini's signature of its thoughts. */
  extra?: JsonObject;
}

/**
 * Assembles streamed tool calls. Pieces with the same index belong together. If a service omits the index or
 * repeats it for every call, a new call starts with a different id, or, without ids, with a name after whole arguments.
 */
export class ToolCalls {
  readonly #calls: Call[] = [];
  /** The current call of each index. */
  readonly #byIndex = new Map<number, Call>();

  get size(): number {
    return this.#calls.length;
  }

  append(pieces: unknown): void {
    if (!Array.isArray(pieces)) return;
    for (const piece of pieces.filter(isObject)) {
      // Services omit these fields or send `null`, contrary to the library's type.
      const { index, id, function: part } = piece as { readonly [Key in keyof Piece]?: Piece[Key] | null };
      const args = textOf(part?.arguments);
      const call = this.#callOf(index ?? undefined, id ?? '', Boolean(part?.name) && args !== '');
      call.id ||= id ?? '';
      // Names arrive whole; some services repeat them in every piece.
      call.name ||= part?.name ?? '';
      call.args += args;
      const { extra_content: extra } = piece;
      if (isObject(extra)) call.extra = { extra_content: extra };
    }
  }

  /** @param isCall whether the piece could be a call of its own */
  #callOf(index: number | undefined, id: string, isCall: boolean): Call {
    const known = index === undefined ? this.#withoutIndex(id) : this.#byIndex.get(index);
    const isOther = id !== '' && known?.id !== '' ? known?.id !== id : isCall && isWhole(known?.args ?? '');
    if (known && !isOther) return known;
    const call = { id: '', name: '', args: '' };
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }

  #withoutIndex(id: string): Call | undefined {
    return this.#calls.find((call) => id !== '' && call.id === id) ?? this.#calls.at(-1);
  }

  /** Returns the calls in the order they started. */
  complete(): readonly { id: string; name: string; args: unknown; extra?: JsonObject }[] {
    return this.#calls.map(({ id, name, args, extra }, index) => ({
      id: id === '' ? `call-${index + 1}` : id,
      name,
      args: parseArguments(args),
      ...(extra === undefined ? {} : { extra }),
    }));
  }
}

/** The text of arguments; some services send the object itself. */
function textOf(args: unknown): string {
  if (typeof args === 'string') return args;
  return args == null ? '' : JSON.stringify(args);
}

function isWhole(args: string): boolean {
  return args !== '' && isObject(parseArguments(args));
}
