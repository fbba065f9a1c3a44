/** The part of an RxJS observable that is used. */
export interface Observed<Value> {
  subscribe(observer: { next(value: Value): void; error(error: unknown): void; complete(): void }): {
    unsubscribe(): void;
  };
}

/** Backpressure: lets a source wait until its reader has caught up. */
export interface Backlog {
  /** Resolves when the reader has taken the values that wait. */
  readonly drained: () => Promise<void>;
}

/**
 * Iterates an observable. An observable does not wait for its reader, so its source must await `drained()`.
 * @param subscribe gets the backlog, and returns the observable
 */
export async function* readObservable<Value extends object>(
  subscribe: (backlog: Backlog) => Observed<Value>,
): AsyncGenerator<Value> {
  const values: Value[] = [];
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  let wakeReader: () => void = () => undefined;
  let wakeSource: (() => void)[] = [];
  const end = (): void => {
    isOver = true;
    wakeReader();
  };
  const drained = (): Promise<void> =>
    values.length === 0 || isOver ? Promise.resolve() : new Promise((resolve) => wakeSource.push(resolve));
  const subscription = subscribe({ drained }).subscribe({
    next: (value) => {
      values.push(value);
      wakeReader();
    },
    error: (error) => {
      failure = { error };
      end();
    },
    complete: end,
  });
  try {
    for (;;) {
      for (let value = values.shift(); value !== undefined; value = values.shift()) yield value;
      for (const wake of wakeSource.splice(0)) wake();
      if (isOver) break;
      await new Promise<void>((resolve) => (wakeReader = resolve));
    }
    if (failure) throw failure.error;
  } finally {
    isOver = true;
    subscription.unsubscribe();
    for (const wake of wakeSource) wake();
    wakeSource = [];
  }
}
