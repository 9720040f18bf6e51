// The log of faults: what failed, and the beginning of the error.

/** Most characters of an error in the log: the beginning names it, the rest may repeat what was stored. */
const MAX_ERROR_LENGTH = 200;

/** The beginning of an error, as the log has it. */
const faultText = (error: unknown): string => String(error).slice(0, MAX_ERROR_LENGTH);

/**
 * Logs a fault that its caller survives.
 *
 * @param message what failed, such as "a page could not be handled"
 * @param about what else identifies it
 */
export function logFault(
  message: string,
  error: unknown,
  about: Readonly<Record<string, unknown>> = {},
): void {
  console.error({ message, ...about, error: faultText(error) });
}

/** Logs a fault without consequences, as a warning: what failed happens later, or is repeated. */
export function logMinorFault(message: string, error: unknown): void {
  console.warn({ message, error: faultText(error) });
}
