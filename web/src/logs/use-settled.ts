import { useCallback, useEffect, useRef } from "react";

const SETTLES_MS = 300;

/** Calls `run` once typing has settled, with what is then not `known` yet; the address need not follow each key. */
export function useSettled(run: (value: string) => void, known: string): (value: string) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last = useRef(known);
  useEffect(() => {
    last.current = known;
  }, [known]);
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
