import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "./copy-text.ts";
import { IconButton } from "./icon-button.tsx";

/** Copies `text`, and says for a moment that it did. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [copied, setCopied] = useState<boolean | undefined>(undefined);

  useEffect(() => {
    if (copied === undefined) return undefined;
    const timer = setTimeout(() => setCopied(undefined), 1500);
    return () => clearTimeout(timer);
  }, [copied]);

  const message = copied === undefined ? label : copied ? "Copied" : "Not copied: select the text instead";
  return (
    <>
      <IconButton icon={copied === true ? Check : Copy} label={message} onClick={() => void copyText(text).then(setCopied)} />
      <span role="status" className="sr-only">
        {copied === undefined ? "" : message}
      </span>
    </>
  );
}
