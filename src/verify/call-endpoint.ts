import type { Findings } from './finding.ts';
import { NoAnswerError, probe, type ProbeRequest, type ProbeResponse, type ProbeSettings } from './probe.ts';

/**
 * Asks once for a check. No answer is a fault of that check alone, and `undefined`: one dropped request says nothing of
 * the others.
 */
export async function callEndpoint(
  settings: ProbeSettings,
  findings: Findings,
  check: string,
  request: ProbeRequest,
): Promise<ProbeResponse | undefined> {
  try {
    return await probe(settings, request);
  } catch (cause) {
    if (!(cause instanceof NoAnswerError)) throw cause;
    findings.fault(
      check,
      `no answer to ${request.method} ${request.path}: ${cause.message}`,
      'See the log of the server, and of a proxy before it: the request was dropped, or took too long.',
    );
    return undefined;
  }
}
