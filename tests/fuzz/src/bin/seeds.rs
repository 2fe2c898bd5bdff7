//! Writes inputs that are in order, to start from: `seeds DIRECTORY`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hasami_andor::Control;
use hasami_answer::{Place, answer, registry};
use hasami_fuzz::{QUESTIONS, question};
use hasami_proto::v1;
use prost::Message;

/// What instrumented code calls. Targets have it from libFuzzer; this program looks at nothing.
mod coverage {
    macro_rules! ignored {
        ($($name:ident($($kind:ty),*);)*) => {
            $(#[unsafe(no_mangle)] extern "C" fn $name($(_: $kind),*) {})*
        };
    }
    ignored! {
        __sanitizer_cov_trace_cmp1(u8, u8);
        __sanitizer_cov_trace_cmp2(u16, u16);
        __sanitizer_cov_trace_cmp4(u32, u32);
        __sanitizer_cov_trace_cmp8(u64, u64);
        __sanitizer_cov_trace_const_cmp1(u8, u8);
        __sanitizer_cov_trace_const_cmp2(u16, u16);
        __sanitizer_cov_trace_const_cmp4(u32, u32);
        __sanitizer_cov_trace_const_cmp8(u64, u64);
        __sanitizer_cov_trace_switch(u64, *mut u64);
        __sanitizer_cov_8bit_counters_init(*mut u8, *mut u8);
        __sanitizer_cov_pcs_init(*const usize, *const usize);
    }
}

fn main() {
    let corpus = PathBuf::from(std::env::args().nth(1).expect("a directory"));
    let made = tempfile::tempdir().expect("a directory");
    for (at, words) in QUESTIONS.iter().enumerate() {
        let question = question(words);
        let place = Place::alone(made.path().join(at.to_string()), 16);
        let Ok(answered) = answer(&question, &place, &Arc::new(Control::unlimited())) else {
            continue;
        };
        put(&corpus, "message", &v1::Question::from(question.clone()).encode_to_vec());
        put(&corpus, "message", &v1::Answer::from(answered.answer.clone()).encode_to_vec());
        put(&corpus, "state", &[at as u8, 0, 0, 0, 0, 0, 0, 0, 0]);
        for file in &answered.files {
            let bytes = std::fs::read(file).expect("a certificate");
            put(&corpus, "certificate_file", &bytes);
            if !bytes.starts_with(hasami_forge::START) {
                continue;
            }
            for part in hasami_forge::parts(file) {
                put(&corpus, "certificate_file", &part);
                let end = part.windows(2).position(|two| two == b"\n\n").map_or(0, |at| at + 2);
                let proven = !part[..end].windows(9).any(|nine| nine == b"disproven");
                let which = 2 * at as u8 + u8::from(!proven);
                put(&corpus, "certificate_tree", &[&[which], &part[end..]].concat());
                let claim = answered.answer.claim.as_bytes();
                let head = [at as u8, if proven { 0 } else { 4 }];
                put(&corpus, "answer", &[&head, claim, &[0xff], &part].concat());
            }
        }
    }
    for (target, words) in [
        ("paving_text", "pave shapes=Square,I"),
        ("paving_text", "pave shapes=X pairs=any"),
        ("value_text", "value family=go-corridor position=3"),
        ("value_text", "value family=domineering position=2x3"),
        ("value_text", "value family=cgt position={2|0}"),
    ] {
        let place = Place::alone(made.path().join("texts"), 16);
        let question = question(words);
        if let Ok(answered) = answer(&question, &place, &Arc::new(Control::unlimited())) {
            let text = std::fs::read_to_string(&answered.files[0]).expect("text");
            put(&corpus, target, text.as_bytes());
            let lines: Vec<&str> = text.lines().collect();
            let middle = lines[1..lines.len() - 1].join("\n") + "\n";
            put(&corpus, target, middle.as_bytes());
        }
    }
    for builtin in hasami_sweep::BUILTINS {
        put(&corpus, "sweep", builtin.text.as_bytes());
    }
    for (at, entry) in registry::ENTRIES.iter().enumerate() {
        let words = entry.spec.example.split(' ').skip(1).collect::<Vec<_>>().join("\n");
        put(&corpus, "params", &[&[at as u8], words.as_bytes()].concat());
        for word in entry.spec.example.split(' ').skip(1) {
            let value = word.split_once('=').map_or(word, |(_, value)| value);
            put(&corpus, "position", value.as_bytes());
        }
    }
    for text in ["{2|0}", "{1|*}+^2", "-{3||2|1}", "up+*3", "tiny(2)", "1/4"] {
        put(&corpus, "notation", text.as_bytes());
    }
    put(&corpus, "position", b"(;SZ[5]AB[aa][ab]AW[ba];B[cc])");
    put(&corpus, "position", b"XXX/O.X/XXX");
    for text in [
        "8k/9/7G1/9/R8/9/9/9/9 b 2p 1",
        "startpos moves 7g7f 3c3d 8h2b+",
        "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n",
        "V2.2\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n%TORYO\n",
        "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP+00HI00KI\nP-00AL\n+\n",
        "後手の持駒：歩二\n|・ ・ ・ ・ ・ ・ ・ ・v玉|一\n|・ ・ ・ ・ ・ ・ ・ ・ ・|二\n先手の持駒：金\n先手番\n",
    ] {
        put(&corpus, "record", text.as_bytes());
    }
    put(
        &corpus,
        "access",
        br#"{"url":"http://h:1","client_token":"0123456789abcdef0123","worker_token":"w"}"#,
    );
    put(&corpus, "packed", &[0; 40]);
    put(&corpus, "journal", &[8, 1, 18, 1, b'a']);
    put(&corpus, "database", b"hasami");
}

fn put(corpus: &Path, target: &str, bytes: &[u8]) {
    let directory = corpus.join(target);
    std::fs::create_dir_all(&directory).expect("a directory");
    let name = blake3::hash(bytes).to_hex();
    std::fs::write(directory.join(&name[..16]), bytes).expect("a file");
}
