import { useCallback, useEffect, useRef } from "react";

const SETTLES_MS = 300;

/** Calls `run` once typing has settled, with what is then new; the address need not follow each key. */
export function useSettled(run: (value: string) => void, initial: string): (value: string) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last = useRef(initial);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (value) => {
      clearTimeout(timer.current);
      if (value === last.current) return;
      timer.current = setTimeout(() => {
        last.current = value;
        run(value);
      }, SETTLES_MS);
    },
    [run],
  );
}
