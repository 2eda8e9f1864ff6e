/** Only the end of longer messages is shown. */
const SHORT = 60;

/**
 * What a chain of errors (`a failed: b failed: c not found`) says at its end, where the cause is; layers only wrap around it.
 * A message that is short enough stays whole.
 */
export function innermostCause(message: string): string {
  const links = message.trim().split(": ");
  if (links.length > 1 && links.at(-1) === "unknown") links.pop();
  const whole = links.join(": ");
  return whole.length <= SHORT ? whole : links.slice(-2).join(": ");
}
