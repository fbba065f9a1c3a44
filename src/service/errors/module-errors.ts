const moduleErrors = new WeakSet<object>();

/**
 * Remembers that an agent module threw an error: its message may quote what people wrote, so that logs leave it out.
 */
export function markModuleError(error: unknown): void {
  if (typeof error === 'object' && error !== null) moduleErrors.add(error);
}

/** Whether an agent module threw the error. */
export function isModuleError(error: object): boolean {
  return moduleErrors.has(error);
}
