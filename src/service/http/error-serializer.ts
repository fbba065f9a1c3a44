import { isModuleError } from '../errors/module-errors.ts';

/** An error as a log line shows it. */
export type LoggedError = {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly cause?: string;
  /** Empty for a failure of an upstream, which no code of the service explains. */
  readonly stack: string;
};

const withheld = 'not logged, because it may quote a visitor; LOG_LEVEL=debug logs it';

/**
 * Returns the serializer of errors in log lines. The messages of errors that an agent module threw may quote what people
 * wrote: without `moduleMessages`, only their names, codes and stack frames are logged.
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
      ...(cause instanceof Error
        ? { cause: isWithheld ? cause.name : `${cause.name}: ${cause.message}` }
        : {}),
      stack: isOfUpstream ? '' : isWithheld ? framesOf(error) : stack,
    };
  };
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
