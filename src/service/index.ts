export { createService, type Service, type ServiceOptions } from './create-service.ts';
export { readSettings, SettingsError, type ServiceSettings } from './settings.ts';
export { settingRows } from './setting-table.ts';
export {
  AgentFailure,
  type Agent,
  type AgentEvent,
  type AgentModule,
  type AgentRun,
  type ModuleRun,
} from './agents/agent.ts';
