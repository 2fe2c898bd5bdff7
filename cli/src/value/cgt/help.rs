//! What can be typed at the prompt.

use hasami_cgt::notation::FUNCTIONS;

const NOTATION: &str = "\
games        {a,b|c}   bars by height: 3||||2|||1||0|0   names: 1/2 * *2 ^ v ^3* tiny(1) ±1 ±(1,*) ^[2]
sums         a+b  a-b  -a  multiples 3.g  (`*` is the nim-heap, never a product: 1*2 is 1+*2)
comparisons  a=b a<b a>b a<=b a>=b a!=b   a||b confused   a<|b less or confused   a|>b
names        g := 3||2|0   then g anywhere; `ans` is the last value

functions";

const COMMANDS: &str = "
commands
  info G       everything about a game, with its thermograph
  names        all names and their values
  help         this
  quit         end, also with Ctrl-D";

/// The whole text.
pub fn text() -> String {
    let mut text = NOTATION.to_string();
    for function in FUNCTIONS {
        let call = format!("{}({})", function.name, function.arguments);
        text.push_str(&format!("\n  {call:<18} {}", function.about));
    }
    text.push('\n');
    text.push_str(COMMANDS);
    text.push('\n');
    text
}
