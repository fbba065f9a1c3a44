/** Why a call has no result. `message` is for the model, without addresses or secrets. */
export class ToolCallError extends Error {
  override readonly name = 'ToolCallError';
  /** Whether the server may have executed the call. */
  readonly mayHaveRun: boolean;

  constructor(message: string, options: { readonly mayHaveRun: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.mayHaveRun = options.mayHaveRun;
  }
}
