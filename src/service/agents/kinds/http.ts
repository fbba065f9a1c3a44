import * as z from 'zod/mini';
import {
  agentKind,
  defaultTimeoutMs,
  headersField,
  readHeaders,
  textField,
  timeoutField,
  urlField,
} from '../agent-kind.ts';

/** A back end in any language that answers with a run stream of this interface. */
export const http = agentKind(
  {
    url: urlField,
    headers_env: headersField,
    signing_secret_env: z.optional(textField),
    timeout: timeoutField,
  },
  async (entry, context) => {
    const { signing_secret_env: secretVariable } = entry;
    return (await import('../http.ts')).httpAgent({
      url: entry.url,
      headers: readHeaders(entry.headers_env, context),
      signingSecret: secretVariable === undefined ? undefined : context.variable(secretVariable),
      timeoutMs: entry.timeout ?? defaultTimeoutMs,
      eventLimit: context.eventLimit,
    });
  },
);
