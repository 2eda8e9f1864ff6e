import { useSyncExternalStore } from "react";

/** A choice that this browser remembers. */
export interface Preference<Value extends string> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

/** A remembered choice among `values`; the first one is the default. Where nothing can be stored it lasts as long as the page. */
export function createPreference<Value extends string>(key: string, values: readonly [Value, ...Value[]]): Preference<Value> {
  return remember(key, (text) => values.find((value) => value === text) ?? values[0]);
}

/** A remembered text of at most `maxLength` characters, empty until one is given. */
export function createTextPreference(key: string, maxLength: number): Preference<string> {
  return remember(key, (text) => (text ?? "").slice(0, maxLength));
}

function remember<Value extends string>(key: string, known: (text: string | null) => Value): Preference<Value> {
  const listeners = new Set<() => void>();
  let current = known(read(key));

  function change(value: Value): void {
    current = value;
    for (const listener of listeners) listener();
  }

  // Other tabs of the app follow.
  window.addEventListener("storage", (event) => {
    if (event.key === key) change(known(event.newValue));
  });

  return {
    get: () => current,
    set(value) {
      write(key, value);
      change(value);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function usePreference<Value extends string>(preference: Preference<Value>): Value {
  return useSyncExternalStore(preference.subscribe, preference.get);
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is full or forbidden: the choice holds for this page.
  }
}
