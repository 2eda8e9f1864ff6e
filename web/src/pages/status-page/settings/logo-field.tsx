import { useId, useState } from "react";
import { STATUS_PAGE_BOUNDS } from "../../../../../src/contract/status-page.ts";
import { Button } from "../../../ui/button.tsx";

const TYPES = ["image/png", "image/jpeg", "image/webp"];

interface Properties {
  /** What is shown: that which is saved or a new one; null: none. */
  shown: string | null;
  fault: string | undefined;
  onChange: (logo: string | null) => void;
}

/** Chooses a picture, which goes along with the form. */
export function LogoField({ shown, fault, onChange }: Properties) {
  const id = useId();
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const wrong = refusal ?? fault;

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const refused = refusalOf(file);
    setRefusal(refused);
    if (refused === undefined) onChange(await dataUrl(file));
  }

  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-ink-2">
        Logo
      </label>
      <div className="flex flex-wrap items-center gap-3">
        {shown !== null && (
          <span className="flex h-12 max-w-48 items-center rounded border border-line bg-surface px-2">
            <img src={shown} alt="The logo" className="max-h-8 max-w-full" />
          </span>
        )}
        <input
          id={id}
          type="file"
          accept={TYPES.join(",")}
          aria-describedby={`${id}-note`}
          aria-invalid={wrong !== undefined}
          className="w-28 text-sm text-transparent file:mr-3 file:h-8 max-md:file:h-10 file:cursor-pointer file:rounded file:border file:border-solid file:border-line-strong file:bg-surface file:px-2.5 file:text-ink hover:file:bg-hover"
          onChange={({ target }) => {
            void take(target.files?.[0]);
            // The picture beside it shows what is chosen; the same file can be chosen again.
            target.value = "";
          }}
        />
        {shown !== null && (
          <Button
            onClick={() => {
              setRefusal(undefined);
              onChange(null);
            }}
          >
            Remove<span className="sr-only"> the logo</span>
          </Button>
        )}
      </div>
      <p
        id={`${id}-note`}
        role={wrong === undefined ? undefined : "alert"}
        className={wrong === undefined ? "mt-1 min-h-4 text-xs text-ink-2" : "mt-1 min-h-4 text-xs text-down"}
      >
        {wrong ?? "PNG, JPEG or WebP, at most 100 kB. Shown 32 pixels high on light and dark."}
      </p>
    </div>
  );
}

function refusalOf({ type, size }: File): string | undefined {
  if (!TYPES.includes(type)) return "Use PNG, JPEG or WebP. SVG is not allowed because it can contain scripts.";
  if (size > STATUS_PAGE_BOUNDS.logoBytes) return `The file has ${Math.ceil(size / 1000)} kB. The maximum is 100 kB.`;
  return undefined;
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("Could not read the file.")));
    reader.readAsDataURL(file);
  });
}
