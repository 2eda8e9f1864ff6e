/**
 * What a rule, a trigger, a silence or a maintenance window may name in addition to single monitored things: `agent` with `local` or the UUID of an agent is all
 * of that host, `group` with its name is all of that group.
 */
export const SCOPES = { host: "agent", group: "group" } as const;

const GROUP_START = `${SCOPES.group}:`;

/** `group:a,b` as an item of a comma list: the comma is `%2C`, a percent sign `%25`. Other entities stay as they are. */
export function toListItem(entity: string): string {
  return entity.startsWith(GROUP_START) ? entity.replaceAll("%", "%25").replaceAll(",", "%2C") : entity;
}

/** The entity that an item of a comma list names. */
export function fromListItem(item: string): string {
  return item.startsWith(GROUP_START) ? item.replace(/%(2c|25)/gi, (_, code) => (code === "25" ? "%" : ",")) : item;
}
