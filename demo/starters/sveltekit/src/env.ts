import { defineEnvVars } from '@sveltejs/kit/env';

export const variables = defineEnvVars({
  CHAT_SERVICE: { public: true, description: 'Address of the chat service' },
  JWT_SECRET: { description: 'Secret of the chat service, which signs the tokens' },
});
