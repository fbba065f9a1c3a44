import { isModuleError } from '../errors/module-errors.ts';

/** An error as a log line shows it. */
export type LoggedError = {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  /** All causes, the nearest first. */
  readonly cause?: string;
  /** Empty for a failure of an upstream, which no code of the service explains. */
  readonly stack: string;
};

const withheld = 'not logged, because it may quote a visitor; LOG_LEVEL=debug logs it';

/**
 * Returns the serializer of errors in log lines. The messages of errors that an agent module threw may quote what
 * people wrote: without `moduleMessages`, only their names, codes and stack frames are logged.
 */
export function errorSerializer(moduleMessages: boolean): (error: Error & { code?: string }) => LoggedError {
  return (error) => {
    const isWithheld = !moduleMessages && isModuleError(error);
    const { name: type, code, cause, stack = '' } = error;
    const isOfUpstream = cause instanceof Error && cause.name === 'UpstreamError';
    return {
      type,
      message: isWithheld ? withheld : error.message,
      ...(code === undefined ? {} : { code }),
      ...(cause instanceof Error ? { cause: causesOf(error, isWithheld).join('; ') } : {}),
      stack: isOfUpstream ? '' : isWithheld ? framesOf(error) : stack,
    };
  };
}

/** The causes of an error, at most four: a module can throw an error that is its own cause. */
function causesOf(error: Error, isWithheld: boolean): string[] {
  const causes: string[] = [];
  let cause = error.cause as (Error & { code?: string }) | undefined;
  while (cause instanceof Error && causes.length < 4) {
    const { name, message, code = '' } = cause; // an AggregateError of `connect` has no message
    causes.push(isWithheld ? name : `${name}: ${message || code}`);
    cause = cause.cause as typeof cause;
  }
  return causes;
}

/** The frames of a stack, without the message that it begins with. */
function framesOf({ message, stack = '' }: Error): string {
  const start = stack.indexOf(message);
  const rest = start < 0 ? stack : stack.slice(start + message.length);
  return rest
    .split('\n')
    .filter((line) => /^ {4}at .+(:\d+:\d+|<anonymous>|native|wasm.*)\)?$/.test(line))
    .join('\n');
}
