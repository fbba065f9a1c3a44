import type { Findings } from './finding.ts';
import { NoAnswerError, probe, type ProbeRequest, type ProbeResponse, type ProbeSettings } from './probe.ts';

/**
 * Sends one request of a check. If there is no response, records a fault of that check and returns
 * `undefined`: one dropped request says nothing about the others.
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
      'See the logs of the server and of any proxy: the request was dropped, or took too long.',
    );
    return undefined;
  }
}
