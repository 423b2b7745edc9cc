//! Time series: the values of one or more channels at consecutive times.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// A time series of one or more channels: finite values x₁ … x_T in ℝᵈ at T ≥ 1 consecutive times.
///
/// Series of one collection may have any lengths. The values are kept time after time, d numbers for each.
///
/// ```
/// use mercer::data::Series;
/// let series = Series::from_channels(&[vec![1.0, 2.0, 3.0], vec![10.0, 20.0, 30.0]])?;
/// assert_eq!((series.len(), series.channels()), (3, 2));
/// assert_eq!(series.at(1), [2.0, 20.0]);
/// assert!(Series::univariate(vec![]).is_err());
/// assert!(Series::univariate(vec![1.0, f64::NAN]).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Series {
    /// Time after time.
    values: Vec<f64>,
    channels: usize,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    channels: usize,
    values: Vec<f64>,
}

impl Series {
    /// Takes `channels` values per time, time after time.
    ///
    /// ```
    /// use mercer::data::Series;
    /// assert_eq!(Series::new(vec![1.0, 10.0, 2.0, 20.0], 2)?.at(1), [2.0, 20.0]);
    /// assert!(Series::new(vec![1.0, 10.0, 2.0], 2).is_err());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] without channels or times, [`Error::Shape`] if the values of the last time are not complete,
    /// [`Error::NonFinite`] with the time as row and the channel as column.
    pub fn new(values: Vec<f64>, channels: usize) -> Result<Self> {
        if channels == 0 {
            return Err(Error::Empty { what: "channels of a time series" });
        }
        if values.is_empty() {
            return Err(Error::Empty { what: "values of a time series" });
        }
        if !values.len().is_multiple_of(channels) {
            return Err(Error::Shape {
                what: "values of a time series (channels × times)",
                expected: values.len().next_multiple_of(channels),
                found: values.len(),
            });
        }
        match values.iter().position(|v| !v.is_finite()) {
            Some(at) => {
                Err(Error::NonFinite { row: at / channels, column: at % channels, value: values[at] })
            }
            None => Ok(Series { values, channels }),
        }
    }

    /// A series of one channel.
    ///
    /// # Errors
    /// As [`Series::new`].
    pub fn univariate(values: Vec<f64>) -> Result<Self> {
        Series::new(values, 1)
    }

    /// Takes channel after channel, all of one length.
    ///
    /// # Errors
    /// [`Error::Shape`] for a channel of another length than the first, else as [`Series::new`].
    pub fn from_channels<C: AsRef<[f64]>>(channels: &[C]) -> Result<Self> {
        let length = channels.first().map_or(0, |channel| channel.as_ref().len());
        if let Some(other) = channels.iter().find(|channel| channel.as_ref().len() != length) {
            let what = "values of a channel (as many as the first channel has)";
            return Err(Error::Shape { what, expected: length, found: other.as_ref().len() });
        }
        let values = (0..length).flat_map(|t| channels.iter().map(move |c| c.as_ref()[t])).collect();
        Series::new(values, channels.len())
    }

    /// Number of times T, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "no series is empty")]
    pub fn len(&self) -> usize {
        self.values.len() / self.channels
    }

    /// Number of channels d, at least 1.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// The values of all channels at time t, from 0.
    ///
    /// # Panics
    /// If the series is not that long.
    pub fn at(&self, t: usize) -> &[f64] {
        &self.values[t * self.channels..][..self.channels]
    }

    /// All times in order, each with the values of all channels.
    pub fn times(&self) -> std::slice::ChunksExact<'_, f64> {
        self.values.chunks_exact(self.channels)
    }

    /// The values of one channel in order of time.
    ///
    /// ```
    /// use mercer::data::Series;
    /// let series = Series::new(vec![1.0, 10.0, 2.0, 20.0], 2)?;
    /// assert_eq!(series.channel(1).collect::<Vec<_>>(), [10.0, 20.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Panics
    /// The iterator panics if there is no such channel.
    pub fn channel(&self, channel: usize) -> impl Iterator<Item = f64> + '_ {
        self.times().map(move |values| values[channel])
    }

    /// All values, time after time.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The number of channels that all of some series have.
    ///
    /// ```
    /// use mercer::data::Series;
    /// let (one, two) = (Series::new(vec![1.0], 1)?, Series::new(vec![1.0, 2.0], 2)?);
    /// assert_eq!(Series::common_channels([&one, &one])?, 1);
    /// assert!(Series::common_channels([&one, &two]).is_err());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] without series, [`Error::Shape`] where one has another number than the first.
    pub fn common_channels<'a>(series: impl IntoIterator<Item = &'a Series>) -> Result<usize> {
        let mut series = series.into_iter();
        let first = series.next().ok_or(Error::Empty { what: "time series" })?.channels;
        for other in series {
            other.check_channels(first)?;
        }
        Ok(first)
    }

    /// Refuses another number of channels.
    ///
    /// # Errors
    /// [`Error::Shape`].
    pub fn check_channels(&self, expected: usize) -> Result<()> {
        if self.channels == expected {
            return Ok(());
        }
        Err(Error::Shape { what: "channels of a time series", expected, found: self.channels })
    }
}

impl TryFrom<Stored> for Series {
    type Error = Error;

    fn try_from(stored: Stored) -> Result<Self> {
        Series::new(stored.values, stored.channels)
    }
}

impl From<Series> for Stored {
    fn from(series: Series) -> Self {
        Stored { channels: series.channels, values: series.values }
    }
}
