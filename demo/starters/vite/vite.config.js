import { defineConfig, loadEnv } from 'vite';

export default defineConfig(({ mode }) => {
  const target = loadEnv(mode, import.meta.dirname).VITE_CHAT_SERVICE;
  // Vite has no server of its own: the playground issues the tokens here, and your site in production.
  const proxy = { '/chat-token': { target, rewrite: () => '/demo/token' } };
  return { server: { proxy }, preview: { proxy } };
});
