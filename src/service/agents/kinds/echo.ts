import { agentKind } from '../agent-kind.ts';
import { echoAgent } from '../echo.ts';

/** Answers with the visitor's text. */
export const echo = agentKind({}, () => echoAgent);
