export { createService, type Service, type ServiceOptions } from './create-service.ts';
export { readSettings, settingRows, SettingsError, type ServiceSettings } from './settings.ts';
export { AgentFailure, type Agent, type AgentEvent, type AgentRun } from './agents/agent.ts';
