//! Pictures of items, drawn once and kept for a while: drawing one plays a certificate.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use hasami_page::Picture;
use hasami_report::Row;

use super::Web;
use super::calls::Trouble;
use super::items::Known;

/// Pictures that are kept.
const KEPT: usize = 64;
/// Larger certificates are not played for a picture.
const LARGEST: u64 = 8 << 20;

/// The latest pictures, by what they show.
#[derive(Default)]
pub(super) struct Pictures(Mutex<VecDeque<(String, Arc<Picture>)>>);

impl Web {
    /// What can be drawn of an item.
    pub(super) async fn picture(&self, row: &Row) -> Result<Arc<Picture>, Trouble> {
        let Some(answer) = row.answer.clone() else {
            return Ok(Arc::new(self.position(row).await?));
        };
        let mut key = row.question.spelled();
        answer.certificates.iter().for_each(|file| key.push_str(&file.file_name()));
        if let Some(known) = self.pictures.find(&key) {
            return Ok(known);
        }
        let bytes: u64 = answer.certificates.iter().map(|file| file.bytes).sum();
        if bytes > LARGEST {
            let note = "The certificate is too large to be played on a page: `hasami play FILE`.";
            return Ok(Arc::new(Picture { note: note.to_string(), ..Picture::default() }));
        }
        let certificates = self.shared.certificates.clone();
        let (draw, question) = (Arc::clone(&self.artist.picture), row.question.clone());
        let drawn = self
            .blocking(move || {
                let files = answer.certificates.iter().map(|file| certificates.find(file));
                Ok(match files.collect::<Result<Vec<_>, _>>() {
                    Ok(files) => draw(&question, &answer, &files),
                    Err(error) => Picture { note: error.to_string(), ..Picture::default() },
                })
            })
            .await?;
        let drawn = Arc::new(drawn);
        self.pictures.keep(key, &drawn);
        Ok(drawn)
    }

    /// The position that an item without an answer is about.
    async fn position(&self, row: &Row) -> Result<Picture, Trouble> {
        let (draw, question) = (Arc::clone(&self.artist.diagram), row.question.clone());
        let still = self.blocking(move || Ok(draw(&question))).await?;
        Ok(Picture { still, ..Picture::default() })
    }

    /// Whether the items of a run have diagrams of their own.
    pub(super) async fn draws(&self, known: &Known) -> Result<bool, Trouble> {
        if known.briefs.is_empty() || known.sweep.unreadable().is_some() {
            return Ok(false);
        }
        let (draw, question) = (Arc::clone(&self.artist.diagram), known.sweep.item(0));
        self.blocking(move || Ok(draw(&question).is_some())).await
    }

    /// The diagrams of some items.
    pub(super) async fn diagrams(&self, rows: &[Row]) -> Result<Vec<Option<String>>, Trouble> {
        let draw = Arc::clone(&self.artist.diagram);
        let questions: Vec<_> = rows.iter().map(|row| row.question.clone()).collect();
        self.blocking(move || Ok(questions.iter().map(|question| draw(question)).collect())).await
    }
}

impl Pictures {
    fn find(&self, key: &str) -> Option<Arc<Picture>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(of, _)| of == key).map(|(_, picture)| Arc::clone(picture))
    }

    fn keep(&self, key: String, picture: &Arc<Picture>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= KEPT {
            known.pop_front();
        }
        known.push_back((key, Arc::clone(picture)));
    }
}
