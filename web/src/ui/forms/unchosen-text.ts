import { useEffect, useRef, useState, type RefObject } from "react";

const REFUSAL = "Choose an entry from the list, or clear the text.";

interface UnchosenText {
  text: string;
  setText: (text: string) => void;
  input: RefObject<HTMLInputElement | null>;
  /** Why the form was not sent. */
  fault: string | undefined;
}

/** Text in a picker that chose nothing. It is kept, and its form is not sent until it is chosen from or cleared. */
export function useUnchosenText(): UnchosenText {
  const [text, setText] = useState("");
  const [isRefused, setRefused] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const hasText = text.trim() !== "";

  useEffect(() => {
    const form = input.current?.form;
    if (!hasText || !form) return;
    function refuse(event: SubmitEvent): void {
      event.preventDefault();
      event.stopImmediatePropagation();
      setRefused(true);
      input.current?.focus();
    }
    form.addEventListener("submit", refuse, { capture: true });
    return () => form.removeEventListener("submit", refuse, { capture: true });
  }, [hasText]);

  return {
    text,
    setText(next) {
      setText(next);
      setRefused(false);
    },
    input,
    fault: isRefused ? REFUSAL : undefined,
  };
}
