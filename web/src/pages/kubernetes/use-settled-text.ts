import { useEffect, useState } from "react";

/** The server searches: not for every letter of a word. */
const TYPING_MS = 200;

/** A text that is typed, once typing rests. */
export function useSettledText(text: string | undefined): string | undefined {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
