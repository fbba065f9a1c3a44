import type { ChatHost } from '../chat-host.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import type { SetupProblem } from './setup-messages.ts';

/** Tells the page's developers about a problem of its setup. The words load with the first problem. */
export function diagnoseSetup(host: ChatHost, problem: SetupProblem): void {
  import('./setup-messages.ts').then(
    ({ setupMessage }) => diagnose(host, problem.code, setupMessage(problem)),
    () => undefined, // offline: what needs the network reports that itself
  );
}
