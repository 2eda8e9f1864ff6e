import { nameKey, type SavedChannel } from "./channel.ts";

/** All channels as they are, in memory; what is saved is put here afterwards. */
export interface Register {
  all(): readonly SavedChannel[];
  get(id: number): SavedChannel | undefined;
  /** In whatever case. */
  byName(name: string): SavedChannel | undefined;
  put(channel: SavedChannel): void;
  remove(id: number): void;
}

export function createRegister(): Register {
  const channels = new Map<number, SavedChannel>();
  const ids = new Map<string, number>();

  function remove(id: number): void {
    const channel = channels.get(id);
    if (channel !== undefined) ids.delete(nameKey(channel.name));
    channels.delete(id);
  }

  return {
    all: () => [...channels.values()],
    get: (id) => channels.get(id),
    byName: (name) => channels.get(ids.get(nameKey(name)) ?? 0),
    put(channel) {
      const before = channels.get(channel.id);
      if (before !== undefined) ids.delete(nameKey(before.name));
      channels.set(channel.id, channel);
      ids.set(nameKey(channel.name), channel.id);
    },
    remove,
  };
}
