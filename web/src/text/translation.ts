import type { texts } from './en/index.ts';

/** The names of the placeholders in a text: `by {owner}` has `owner`. */
type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** `Text` if it has the placeholders of `Original`; otherwise a type that no text has. */
type WithPlaceholders<Original extends string, Text extends string> = [Placeholders<Original>] extends [
  Placeholders<Text>,
]
  ? [Placeholders<Text>] extends [Placeholders<Original>]
    ? string
    : { wrongPlaceholder: Exclude<Placeholders<Text>, Placeholders<Original>> }
  : { missingPlaceholder: Exclude<Placeholders<Original>, Placeholders<Text>> };

type TextFunction = (...parameters: never[]) => string;

/** The type that the texts of a language must have: the keys, parameters and placeholders of the English ones. */
export type Translation<Translated> = TranslatedTexts<typeof texts, Translated>;

type TranslatedTexts<Original, Translated> = {
  readonly [Key in keyof Original]: Key extends keyof Translated
    ? TranslatedText<Original[Key], Translated[Key]>
    : Original[Key];
};

type TranslatedText<Original, Translated> = Original extends string
  ? Translated extends string
    ? WithPlaceholders<Original, Translated>
    : string
  : Original extends TextFunction
    ? Translated extends TextFunction
      ? (...parameters: Parameters<Original>) => WithPlaceholders<ReturnType<Original>, ReturnType<Translated>>
      : Original
    : TranslatedTexts<Original, Translated>;

export type Texts = Translation<typeof texts>;
