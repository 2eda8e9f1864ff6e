/** Where an answer lacks or contradicts what was recorded, a line each. Fields that were added since are no difference. */
export function differences(recorded: unknown, actual: unknown, path = ""): string[] {
  if (typeof recorded !== "object" || recorded === null || typeof actual !== "object" || actual === null)
    return Object.is(recorded, actual) ? [] : [`${path}: ${JSON.stringify(recorded)} is now ${JSON.stringify(actual)}`];
  if (Array.isArray(recorded) !== Array.isArray(actual)) return [`${path}: a list is now an object, or the other way round`];
  const fields: ReadonlyMap<string, unknown> = new Map(Object.entries(actual));
  const added = Array.isArray(recorded) ? [...fields.keys()].slice(recorded.length).map((place) => `${path}/${place}: is more`) : [];
  const others = Object.entries(recorded).flatMap(([name, value]) =>
    fields.has(name) ? differences(value, fields.get(name), `${path}/${name}`) : [`${path}/${name}: is gone`],
  );
  return [...added, ...others];
}
