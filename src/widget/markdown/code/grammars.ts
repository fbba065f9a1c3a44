/** Kind of a piece of code; the class names of our own style sheet. */
export type Colour = 'keyword' | 'string' | 'comment' | 'number' | 'name' | 'added' | 'removed';

/** How to highlight a language: patterns and keywords. */
export interface Grammar {
  /** Tried from left to right; at the same position, the first match wins. Each runs in linear time. */
  readonly rules: readonly (readonly [Colour, RegExp])[];
  /** Keywords; any other word before a parenthesis is a function name. Undefined: words are not highlighted. */
  readonly words?: ReadonlySet<string>;
  /** Keywords are case-insensitive; the set has them in lower case. */
  readonly anyCase?: boolean;
}

const slashComment = /\/\/.*/;
const blockComment = /\/\*[^]*?(?:\*\/|(?![^]))/;
const hashComment = /#.*/;
const quoted = /"(?:\\.|[^"\\\n])*"?/;
const apostrophed = /'(?:\\.|[^'\\\n])*'?/;
const manyLines = /"(?:\\[^]|[^"\\])*"?|'[^']*'?/;
const ticked = /`(?:\\[^]|[^`\\])*`?/;
const character = /'(?:\\.[^'\n]*|[^'\\\n])'/;
const number = /\b0[xXbBoO][\da-fA-F_]+\w*|\b\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?\w*/;
const expression =
  /(?<=(?:^|[=(,:;!&|?{}[>]|\breturn)[ \t]{0,4})\/(?![*/\s])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/;
const variable = /\$\{?\w+\}?|\$[@#?!*-]/;

const common =
  'break case catch class continue default do else false finally for if new return switch throw true try while';
const typed = `${common} abstract const enum import interface null private protected public static super this void`;
const script = `${typed} as async await debugger delete export extends from function get implements in instanceof let of set typeof undefined var with yield`;

const slashed = [
  ['comment', slashComment],
  ['comment', blockComment],
] as const;

const javascript: Grammar = {
  rules: [
    ...slashed,
    ['string', expression],
    ['string', quoted],
    ['string', apostrophed],
    ['string', ticked],
    ['number', number],
  ],
  words: words(script),
};

/** By name of the language. */
export const grammars: Readonly<Record<string, Grammar>> = {
  javascript,
  typescript: {
    ...javascript,
    words: words(
      `${script} any asserts bigint boolean declare infer is keyof namespace never number object override readonly satisfies string symbol type unique unknown`,
    ),
  },
  java: {
    rules: [
      ...slashed,
      ['string', /"""[^]*?(?:"""|(?![^]))/],
      ['string', quoted],
      ['string', character],
      ['name', /@\w+/],
      ['number', number],
    ],
    words: words(
      `${typed} assert boolean byte char double extends final float implements instanceof int long native package record sealed short strictfp synchronized throws transient var volatile yield`,
    ),
  },
  csharp: {
    rules: [
      ...slashed,
      ['string', /[$@]{1,2}"(?:""|\\.|[^"])*"?/],
      ['string', quoted],
      ['string', character],
      ['number', number],
    ],
    words: words(
      `${typed} as async await base bool byte char decimal delegate double dynamic event explicit extern fixed float foreach get goto implicit in init int internal is lock long namespace object operator out override params readonly record ref sbyte sealed set short sizeof string struct typeof uint ulong unchecked unsafe ushort using var virtual volatile when where yield`,
    ),
  },
  cpp: {
    rules: [
      ...slashed,
      ['keyword', /^[ \t]*#[ \t]*\w+/],
      ['string', quoted],
      ['string', character],
      ['number', number],
    ],
    words: words(
      `${typed} alignas alignof asm auto bool char concept consteval constexpr const_cast decltype delete double dynamic_cast explicit extern float friend goto inline int long mutable namespace noexcept nullptr operator override register reinterpret_cast requires short signed sizeof static_cast struct template typedef typeid typename union unsigned using virtual volatile wchar_t NULL`,
    ),
  },
  go: {
    rules: [...slashed, ['string', quoted], ['string', character], ['string', ticked], ['number', number]],
    words: words(
      'any append bool break byte cap case chan close complex const continue copy default defer delete else error fallthrough false float32 float64 for func go goto if import int int8 int16 int32 int64 interface iota len make map new nil package panic print println range recover return rune select string struct switch true type uint uint8 uint16 uint32 uint64 uintptr var',
    ),
  },
  rust: {
    rules: [
      ...slashed,
      ['string', /b?r#+"[^]*?(?:"#+|(?![^]))|b?r?"(?:\\[^]|[^"\\])*"?/],
      ['string', character],
      ['name', /#!?\[[^\]\n]{0,200}\]|\b\w+!/],
      ['number', number],
    ],
    words: words(
      'Self as async await bool box break char const continue crate dyn else enum extern f32 f64 false fn for i8 i16 i32 i64 i128 if impl in isize let loop match mod move mut pub ref return self static str struct super trait true type u8 u16 u32 u64 u128 union unsafe use usize where while Box Err None Ok Option Result Some String Vec',
    ),
  },
  php: {
    rules: [
      ...slashed,
      ['comment', hashComment],
      ['keyword', /<\?(?:php|=)?|\?>/],
      ['name', /\$\w+/],
      ['string', manyLines],
      ['number', number],
    ],
    words: words(
      `${typed} and array as bool callable clone declare echo elseif empty endforeach endif endwhile exit extends final float fn foreach function global goto implements include include_once instanceof int isset list match mixed namespace or print readonly require require_once string trait unset use var xor yield`,
    ),
  },
  python: {
    rules: [
      ['comment', hashComment],
      [
        'string',
        /\b[bfruBFRU]{0,2}(?:"""[^]*?(?:"""|(?![^]))|'''[^]*?(?:'''|(?![^])))|"""[^]*?(?:"""|(?![^]))|'''[^]*?(?:'''|(?![^]))/,
      ],
      ['string', quoted],
      ['string', apostrophed],
      ['name', /@[\w.]+/],
      ['number', number],
    ],
    words: words(
      'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield bool bytes dict float int len list object open print range set str super tuple type',
    ),
  },
  ruby: {
    rules: [
      ['comment', hashComment],
      ['string', quoted],
      ['string', apostrophed],
      ['number', /(?<![:\w]):\w+[?!]?/],
      ['name', /@{1,2}\w+/],
      ['number', number],
    ],
    words: words(
      'BEGIN END alias and attr_accessor attr_reader attr_writer begin break case class def defined do else elsif end ensure extend false for if in include lambda loop module new next nil not or private proc protected puts raise redo require require_relative rescue retry return self super then true undef unless until when while yield',
    ),
  },
  bash: {
    rules: [
      ['comment', /(?<=^|\s)#.*/],
      ['string', manyLines],
      ['name', variable],
      ['number', /(?<=\s)--?[\w-]+/],
    ],
    words: words(
      'alias break case cd continue declare do done echo elif else esac eval exec exit export fi for function if in local printf read readonly return set shift source sudo test then trap unset until while',
    ),
  },
  sql: {
    rules: [
      ['comment', /--.*/],
      ['comment', blockComment],
      ['string', /'(?:''|[^'])*'?/],
      ['number', number],
    ],
    anyCase: true,
    words: words(
      'add all alter and as asc between bigint boolean by case cast char check column commit constraint create cross current_date current_timestamp database date decimal default delete desc distinct drop else end exists false float foreign from full grant group having if in index inner insert int integer into is join key left like limit not null numeric offset on or order outer over partition primary references replace returning right rollback schema select set table text then timestamp to transaction true truncate union unique update using values varchar view when where with',
    ),
  },
  css: {
    rules: [
      ['comment', blockComment],
      ['string', quoted],
      ['string', apostrophed],
      ['number', /#[\da-fA-F]{3,8}\b|-?\b\d*\.?\d+(?:%|[a-z]+\b)?/],
      ['keyword', /@[\w-]+|!important/],
      ['name', /(?<![\w-])[\w-]+(?![\w-])(?=[ \t]{0,9}:[^:{}\n]{0,200}[;}\n])/],
      ['keyword', /(?<![\w-])[.#&]?[a-zA-Z_][\w-]*(?![\w-])(?=[^{};]{0,200}\{)/],
    ],
  },
  xml: {
    rules: [
      ['comment', /<!--[^]*?(?:-->|(?![^]))/],
      ['keyword', /<[!?/]?[\w:.-]+|[?/]?>/],
      ['string', /(?<==\s?)(?:"[^"]*"?|'[^']*'?)/],
      ['name', /(?<![\w:@.-])[\w:@.-]+(?=\s?=\s?["'])/],
      ['number', /&#?\w+;/],
    ],
  },
  json: {
    rules: [
      ['comment', slashComment],
      ['name', /"(?:\\.|[^"\\\n])*"(?=\s{0,4}:)/],
      ['string', quoted],
      ['number', /-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/],
      ['keyword', /\b(?:true|false|null)\b/],
    ],
  },
  yaml: {
    rules: [
      ['comment', /(?<=^|\s)#.*/],
      ['name', /^[ \t]*(?:- +)*[\w./-]+(?=:(?:\s|$))/],
      ['string', quoted],
      ['string', apostrophed],
      ['keyword', /(?<=[:\-,[] {0,4})(?:true|false|null|yes|no|on|off)\b|^---$/],
      ['number', /(?<=[:\-,[] {0,4})-?\d+(?:\.\d+)?(?=[\s,\]]|$)/],
    ],
  },
  diff: {
    rules: [
      ['comment', /^(?:diff|index|---|\+\+\+).*/],
      ['name', /^@@.*/],
      ['added', /^\+.*/],
      ['removed', /^-.*/],
    ],
  },
};

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
