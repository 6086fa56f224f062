//! Watch over a program that is asked and does not answer: a question is waited for without limit,
//! as the program may be stopped in a debugger, but not without a word.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// Real time without an answer after which somebody is told.
const SILENCE: Duration = Duration::from_secs(5);

/// Number of looks at a program within that time, after the one that finds it asked.
const LOOKS: u32 = 5;

/// Thread that tells once of a question without an answer; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Watch {
    /// Questions and answers so far; odd while one is waited for.
    exchanged: Arc<AtomicU64>,
    _ends_thread: Sender<()>,
}

impl Watch {
    /// Starts a watch that prints to standard error whom the run waits for.
    pub(crate) fn over(program: &str) -> Self {
        let program = program.to_owned();
        Self::telling(SILENCE, move || {
            let waited = SILENCE.as_secs();
            eprintln!(
                "waiting for `{program}`: no answer for {waited} s; each question has one, and is \
                 to be flushed"
            );
        })
    }

    fn telling(silence: Duration, tell: impl FnOnce() + Send + 'static) -> Self {
        let exchanged = Arc::new(AtomicU64::new(0));
        let (ends_thread, end) = mpsc::channel::<()>();
        let seen = Arc::clone(&exchanged);
        thread::spawn(move || {
            let (mut before, mut looks) = (0, 0);
            while end.recv_timeout(silence / LOOKS) == Err(RecvTimeoutError::Timeout) {
                let now = seen.load(Ordering::Relaxed);
                looks = if now % 2 == 1 && now == before { looks + 1 } else { 0 };
                before = now;
                if looks == LOOKS {
                    return tell();
                }
            }
        });
        Self { exchanged, _ends_thread: ends_thread }
    }

    /// Notes a question, or its answer.
    pub(crate) fn note(&self) {
        self.exchanged.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(20);

    /// Program that forgot to flush, which the run once waited for without a word.
    #[test]
    fn a_question_without_an_answer_is_told_of() {
        let (told, news) = mpsc::channel();
        let watch = Watch::telling(SHORT, move || told.send(()).expect("the test waits"));
        watch.note();
        assert_eq!(news.recv_timeout(Duration::from_secs(10)), Ok(()));
    }

    #[test]
    fn an_answer_ends_the_wait() {
        let (told, news) = mpsc::channel();
        let watch = Watch::telling(SHORT, move || told.send(()).expect("the test waits"));
        watch.note();
        watch.note();
        assert_eq!(news.recv_timeout(10 * SHORT), Err(RecvTimeoutError::Timeout));
        drop(watch);
        assert_eq!(news.recv_timeout(Duration::from_secs(10)), Err(RecvTimeoutError::Disconnected));
    }
}
