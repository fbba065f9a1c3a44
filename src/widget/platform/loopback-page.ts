/** Whether the page comes from the developer's own machine. */
export function isLoopbackPage(): boolean {
  return /^(localhost|127\.|\[::1\])/.test(location.hostname);
}
